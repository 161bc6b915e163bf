import { readdir as readdirBack } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CodedError } from '../../lib/errors.ts';
import { errorCode, fileErrorReason } from '../../lib/file-errors.ts';

const MANIFEST = /\.(?:ya?ml|json|ndjson|jsonl)(?:\.gz|\.zst)?$/i;
const PATTERN = /[*?[\]{}]/;
const NOT_A_FILE = /^(?:-$|https?:\/\/|kustomize:)/i;

/**
 * The files that a name of `-f` stands for, as with kubectl: a file, the manifests of a folder, what a pattern matches,
 * or several of these with commas between them. In each folder they are in the order of their names.
 */
export async function findFiles(name: string, isRecursive: boolean): Promise<string[]> {
  if (name === '') throw new CodedError('FileNotReadable', '-f: the name of a file is empty');
  if (NOT_A_FILE.test(name)) return [name];
  const found = await existing(name);
  if (found === 'folder') return inFolder(name, isRecursive);
  if (found === 'file') return [name];
  if (name.includes(',')) {
    const parts = name.split(',').filter((part) => part !== '');
    return (await Promise.all(parts.map((part) => findFiles(part, isRecursive)))).flat();
  }
  if (!PATTERN.test(name)) return [name];
  const matches = await matching(name);
  if (matches.length === 0) throw new CodedError('FileNotReadable', `${name}: no file matches`);
  return matches.sort();
}

/** The files that match a pattern. Throws for a folder on the way that cannot be read, which would be passed over. */
async function matching(pattern: string): Promise<string[]> {
  let failed: string | undefined;
  const readFolder = (path: string, options: object, done: (...answer: unknown[]) => void): void => {
    readdirBack(path, options, (error, entries) => {
      if (error !== null && errorCode(error) !== 'ENOENT') {
        failed ??= `${relative('.', path) || '.'}: ${fileErrorReason(error, 'read')}`;
      }
      done(error, entries);
    });
  };
  const { glob } = await import('tinyglobby');
  const matches = await glob(pattern, {
    ...{ expandDirectories: false, dot: false },
    fs: { readdir: readFolder as typeof readdirBack },
  });
  if (failed !== undefined) throw new CodedError('FileNotReadable', failed);
  return matches;
}

async function existing(name: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(name)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR' || errorCode(error) === 'ENAMETOOLONG')
      return null;
    // Why the name cannot be read is for its reader to say.
    return 'file';
  }
}

async function inFolder(folder: string, isRecursive: boolean): Promise<string[]> {
  const files = await manifestsIn(folder, isRecursive);
  if (files.length > 0) return files;
  const hint = isRecursive ? '' : ' (-R looks into the folders inside)';
  throw new CodedError(
    'FileNotReadable',
    `${folder}: holds no manifests, .yaml, .yml, .json, .ndjson or .jsonl${hint}`,
  );
}

async function manifestsIn(folder: string, isRecursive: boolean): Promise<string[]> {
  const files: string[] = [];
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) files.push(...(isRecursive ? await manifestsIn(path, true) : []));
      else if (MANIFEST.test(entry.name)) files.push(path);
    }
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('FileNotReadable', `${folder}: ${fileErrorReason(error, 'read')}`);
  }
  return files;
}
