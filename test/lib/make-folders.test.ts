import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolders } from '../../src/lib/make-folders.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-folders-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('makes what is missing, and leaves what is there', () => {
  makeFolders(join(folder, 'a/b/c'), 0o700);
  makeFolders(join(folder, 'a/b/c'));
  makeFolders(join(folder, 'a/b/../d/'));
  expect(statSync(join(folder, 'a/b/c')).mode & 0o777).toBe(0o700);
  expect(existsSync(join(folder, 'a/d'))).toBe(true);
});

it('fails where a file is in the way, or no folder can be made', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolders(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolders(join(folder, 'file/a'))).toThrow('ENOTDIR');
  // Linux has /proc, where a folder is not found although the one above it is there.
  if (existsSync('/proc/self')) expect(() => makeFolders('/proc/berth/a')).toThrow('ENOENT');
});
