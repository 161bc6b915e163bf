import { getHeapStatistics } from 'node:v8';
import { CodedError } from '../../lib/errors.ts';
import { RealEventLoop } from '../../lib/event-loop.ts';
import { errorCode, fileErrorReason } from '../../lib/file-errors.ts';
import { visible } from '../text/visible.ts';
import { ask } from './ask.ts';
import { findFiles } from './find-files.ts';
import { collectGarbage, collectYoungGarbage } from './garbage-collection.ts';
import { heapMeter } from './heap-meter.ts';
import { InterruptSignals } from './interrupt-signals.ts';
import { nodeFiles } from './node-files.ts';
import { NodeOutputs } from './node-outputs.ts';
import { openResultFile } from './node-result-file.ts';
import { OutputClosed, type Terminal } from './terminal.ts';
import { urlObjects } from './url-objects.ts';

/** The terminal of this process. */
export function nodeTerminal(): Terminal {
  // A broken pipe is also reported as an event; without a listener, it would end the process with a stack trace.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const outputs = new NodeOutputs();
  const signals = new InterruptSignals();
  return {
    ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
    print: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(errorCode(error) === 'EPIPE' ? new OutputClosed() : notWritable(error));
        });
      }),
    log: (line) => {
      process.stderr.write(`${line.split('\n').map(visible).join('\n')}\n`);
    },
    drawsProgress: process.stderr.isTTY === true,
    progressLineMillis: 10_000,
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    files: nodeFiles((name, stats) => outputs.noteInput(name, stats)),
    findFiles,
    createFile: (name) => outputs.create(name),
    createFolder: (name) => outputs.createFolder(name),
    noteOutput: (name) => outputs.noteOutput(name),
    discardUnfinished: () => outputs.discardUnfinished(),
    openResultFile(name, mustBeNew) {
      outputs.noteOutput(name);
      return openResultFile(name, mustBeNew);
    },
    objects: urlObjects(process.env, pause),
    onInterrupt: (listener) => signals.listen(listener),
    get interruptedBy() {
      return signals.first;
    },
    heap: heapMeter(),
    collectGarbage,
    collectYoungGarbage,
    roughHeapBytes: () => getHeapStatistics().used_heap_size,
  };
}

function pause(millis: number): Promise<void> {
  const loop = new RealEventLoop(() => {});
  return new Promise((resolve) => {
    loop.after(millis, resolve);
  });
}

function notWritable(error: unknown): CodedError<'FileNotWritable'> {
  return new CodedError('FileNotWritable', `standard output: ${fileErrorReason(error, 'written')}`);
}
