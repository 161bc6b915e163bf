import { type Manifests, readManifests } from '../../manifests/read.ts';
import { withProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Reads manifests with a progress bar for long ones, and logs their warnings. */
export async function readFiles(files: readonly string[], terminal: Terminal): Promise<Manifests> {
  const order = [...new Set(files)].map((file) => (file === '-' ? 'stdin' : file));
  const manifests = await withProgress(terminal, files.length, 'reading', (show) => {
    let lastPercent = -1;
    return readManifests(files, terminal.files, (file, doneBytes, totalBytes) => {
      const done = order.indexOf(file) + doneBytes / totalBytes;
      const percent = Math.floor(done * 100);
      if (percent !== lastPercent) show(done, `reading ${file}`);
      lastPercent = percent;
    });
  });
  for (const warning of manifests.warnings) terminal.log(`warning: ${warning}`);
  return manifests;
}
