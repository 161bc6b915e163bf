import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openResultFile } from '../../../src/cli/terminal/node-result-file.ts';
import type { FoundLine } from '../../../src/sweep/found-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function linesOf(text: string): Promise<FoundLine[]> {
  writeFileSync(at('lines'), text);
  const file = await openResultFile(at('lines'), false);
  try {
    return await all(file.lines());
  } finally {
    await file.close();
  }
}

describe('openResultFile', () => {
  it('makes a new file, and only a new one where it must be', async () => {
    const file = await openResultFile(at('new'), true);
    await file.append('one\n');
    await file.close();
    await expect(openResultFile(at('new'), true)).rejects.toMatchObject({
      code: 'FileExists',
      message: `${at('new')}: exists already; --resume goes on with it`,
    });
    expect(readFileSync(at('new'), 'utf8')).toBe('one\n');
  });

  it('reads, cuts off and goes on at the end', async () => {
    writeFileSync(at('old'), 'one\ntwo\nthr');
    const file = await openResultFile(at('old'), false);
    expect(await all(file.lines())).toHaveLength(3);
    await file.truncate(8);
    await file.append('3\n4\n');
    await file.append('5\n');
    await file.close();
    expect(readFileSync(at('old'), 'utf8')).toBe('one\ntwo\n3\n4\n5\n');
  });

  it('says where each line ends, in bytes, whatever the pieces in which it is read', async () => {
    const long = 'ä'.repeat(100_000);
    expect(await linesOf(`a\n\n${long}\nb`)).toEqual([
      { text: 'a', isWhole: true, endByte: 2 },
      { text: '', isWhole: true, endByte: 3 },
      { text: long, isWhole: true, endByte: 200_004 },
      { text: 'b', isWhole: false, endByte: 200_005 },
    ]);
    expect(await linesOf('')).toEqual([]);
  });

  it('says in words why it cannot be opened', async () => {
    await expect(openResultFile(at('no/file'), true)).rejects.toThrow(`${at('no/file')}: no such folder`);
    await expect(openResultFile(folder, false)).rejects.toThrow(`${folder}: is a directory, not a file`);
  });
});
