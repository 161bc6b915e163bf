import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. Node's own `recursive` never ends in a file system that takes no
 * folders, such as /proc.
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makeFolders(above, mode);
    makeFolders(path, mode);
  }
}
