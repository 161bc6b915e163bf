import { CodedError } from '../lib/errors.ts';
import { FILE_MAX_BYTES, type FileSource, shownName } from '../manifests/file-source.ts';
import type { Executor } from './executor.ts';
import { PlacedRuns } from './placed-runs.ts';
import type { RunResult } from './rows.ts';
import type { LoadedRun, RunLoader } from './run-loader.ts';
import type { Settings } from './settings.ts';
import type { SweepPlan, SweepRun } from './sweep-plan.ts';

/** Makes the runs of a sweep. What the last run read is kept for the next one. */
export class Simulator {
  readonly #newLoader: () => Promise<RunLoader>;
  #loader: RunLoader | undefined;
  #last: { readonly key: string; readonly loaded: LoadedRun } | undefined;

  constructor({ mode, inputs }: SweepPlan, files: FileSource, executor: Executor) {
    // A placing need not wait for whole clusters to be loaded.
    this.#newLoader = async () => {
      if (mode === 'place') return new PlacedRuns(inputs, files, executor);
      return new (await import('./simulated-runs.ts')).SimulatedRuns(inputs, files, executor);
    };
  }

  async run({ seed, settings }: Pick<SweepRun, 'seed' | 'settings'>): Promise<RunResult> {
    return (await this.load(settings)).run(seed);
  }

  /** Reads and checks what runs with these settings need. @throws CodedError */
  async load(settings: Settings): Promise<LoadedRun> {
    const key = JSON.stringify(settings);
    if (this.#last?.key !== key) {
      this.#loader ??= await this.#newLoader();
      this.#last = { key, loaded: await this.#loader.load(settings) };
    }
    return this.#last.loaded;
  }
}

/** Files that are held in memory, by name. */
export function filesIn(contents: ReadonlyMap<string, Uint8Array>): FileSource {
  return {
    async read(name, maxBytes = FILE_MAX_BYTES) {
      const bytes = contents.get(name);
      if (bytes === undefined) throw new CodedError('FileNotReadable', `${shownName(name)}: is not part of the sweep`);
      if (bytes.length > maxBytes) throw new CodedError('FileTooLarge', `${shownName(name)}: is too large`);
      // Decoders refuse memory that threads share.
      return bytes.buffer instanceof SharedArrayBuffer ? bytes.slice() : bytes;
    },
  };
}
