import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeTerminal } from '../../../src/cli/terminal/node-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
const file = join(folder, 'a.yaml');
writeFileSync(file, 'kind: Node');
afterAll(() => rmSync(folder, { recursive: true }));

describe('nodeTerminal', () => {
  const { files } = nodeTerminal();

  it('reads a file up to the limit', async () => {
    expect(new TextDecoder().decode(await files.read(file, 10))).toBe('kind: Node');
    await expect(files.read(file, 9)).rejects.toMatchObject({ code: 'FileTooLarge' });
  });

  it('says in words why a file cannot be read', async () => {
    await expect(files.read(`${file}.no`, 10)).rejects.toThrow(`${file}.no: no such file`);
    await expect(files.read(folder, 1e6)).rejects.toThrow(`${folder}: is a directory, not a file`);
  });
});

describe('a file that is written', () => {
  const { createFile } = nodeTerminal();

  it('holds what was written, in order, and nothing of what was there before', () => {
    writeFileSync(file, 'something longer than what comes');
    const output = createFile(file);
    output.write('{"traceEvents":');
    output.write('[]}');
    output.close();
    expect(readFileSync(file, 'utf8')).toBe('{"traceEvents":[]}');
  });

  it('is refused in words before anything is written', () => {
    expect(() => createFile(join(folder, 'no', 'a.json'))).toThrow(`${join(folder, 'no', 'a.json')}: no such folder`);
    expect(() => createFile(folder)).toThrow(expect.objectContaining({ code: 'FileNotWritable' }));
  });
});
