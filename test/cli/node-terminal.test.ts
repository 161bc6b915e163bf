import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeTerminal } from '../../src/cli/node-terminal.ts';

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
