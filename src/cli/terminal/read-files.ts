import { CodedError } from '../../lib/errors.ts';
import { whole } from '../../lib/shown-count.ts';
import { type Manifests, type ReadOptions, readManifests } from '../../manifests/read.ts';
import { Interruption } from './interruption.ts';
import { withProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Reads manifests with a progress bar for long ones, and logs their warnings. */
export async function readFiles(
  files: readonly string[],
  terminal: Terminal,
  interruption: Interruption,
  options: Pick<ReadOptions, 'isStrict' | 'validate' | 'expand'> = {},
): Promise<Manifests> {
  const manifests = await watchReading(
    files,
    terminal,
    (hooks) => readManifests(files, terminal.files, { ...options, ...hooks }),
    interruption,
  );
  for (const warning of manifests.warnings) terminal.log(`warning: ${warning}`);
  return manifests;
}

/** What a reader of manifests calls from time to time. */
export type ReadingHooks = Required<Pick<ReadOptions, 'checkMemory' | 'onProgress'>>;

/** Reads with a progress bar, as far as there is memory, and until Ctrl-C: the hooks throw then. */
export async function watchReading<T>(
  files: readonly string[],
  terminal: Terminal,
  read: (hooks: ReadingHooks) => Promise<T>,
  own?: Interruption,
): Promise<T> {
  const order = [...new Set(files)].map((file) => (file === '-' ? 'stdin' : file));
  const checkMemory = memoryCheck(terminal);
  const interruption = own ?? new Interruption(terminal);
  const work = withProgress(terminal, files.length, 'reading', (show) => {
    let lastPercent = -1;
    return read({
      checkMemory: () => {
        interruption.check();
        checkMemory();
      },
      onProgress: (file, doneBytes, totalBytes) => {
        const done = order.indexOf(file) + (totalBytes === 0 ? 0 : doneBytes / totalBytes);
        const percent = totalBytes === 0 ? doneBytes : Math.floor(done * 100);
        const size = totalBytes === 0 ? ` (${whole(doneBytes / 2 ** 20)} MiB)` : '';
        if (percent !== lastPercent) show(done, `reading ${file}${size}`);
        lastPercent = percent;
      },
    });
  });
  return work.finally(() => {
    if (own === undefined) interruption.release();
  });
}

/** The part of the heap that may hold what was read; the rest is for the decisions about it. */
const USED_MAX = 0.85;

/** One limit for all forms of input: objects that do not fit into memory are refused before the process ends by it. */
function memoryCheck({ heap, roughHeapBytes }: Terminal): () => void {
  const maxBytes = heap.heapLimitBytes * USED_MAX;
  let nextBytes = maxBytes;
  return () => {
    const roughBytes = roughHeapBytes();
    if (roughBytes < nextBytes) return;
    // A part of it may be garbage, which is not collected without need.
    const usedBytes = heap.usedBytes();
    if (usedBytes > maxBytes) {
      const limit = `${whole(heap.heapLimitBytes / 2 ** 20)} MiB`;
      throw new CodedError(
        'OutOfMemory',
        `the input does not fit into the memory that Node.js may use, ${limit} ` +
          '(more: NODE_OPTIONS=--max-old-space-size=MEBIBYTES)',
      );
    }
    nextBytes = Math.max(maxBytes, (usedBytes + heap.heapLimitBytes) / 2);
  };
}
