import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that only its owner may read, beside its target, whose place it takes when it is complete. Pipes and
 * devices cannot be replaced, and are written.
 */
export function writePrivateFile(path: string, content: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(path, content);
    return;
  }
  const target = stats === undefined ? path : realpathSync(path);
  const unfinished = `${target}.unfinished`;
  try {
    writeFileSync(unfinished, content, { mode: 0o600 });
    // The mode of a file that was left behind is not changed by writing it.
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
