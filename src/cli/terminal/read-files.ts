import { type Manifests, readManifests } from '../../manifests/read.ts';
import { startProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Reads manifests with a progress bar for long ones, and logs their warnings. */
export async function readFiles(files: readonly string[], terminal: Terminal): Promise<Manifests> {
  const progress = startProgress(terminal, files.length, 'reading');
  const order = [...new Set(files)].map((file) => (file === '-' ? 'stdin' : file));
  let manifests: Manifests;
  try {
    let lastPercent = -1;
    manifests = await readManifests(files, terminal.files, (file, doneBytes, totalBytes) => {
      const done = order.indexOf(file) + doneBytes / totalBytes;
      const percent = Math.floor(done * 100);
      if (percent !== lastPercent) progress.update(done, `reading ${file}`);
      lastPercent = percent;
    });
  } finally {
    progress.stop();
  }
  for (const warning of manifests.warnings) terminal.log(`warning: ${warning}`);
  return manifests;
}
