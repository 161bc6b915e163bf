import { type FileSource, shownName } from '../manifests/file-source.ts';
import { type Manifests, readManifests } from '../manifests/read.ts';
import type { Executor } from './executor.ts';
import { patchedFiles } from './patched-files.ts';
import { checkProfiles, type Placing, place } from './placing.ts';
import { checkGates, readConfiguration } from './run-configuration.ts';
import type { LoadedRun } from './run-loader.ts';
import type { Settings } from './settings.ts';
import type { SweepInputs } from './sweep-plan.ts';

/** Loads runs that place the pods of a cluster. Manifests are read once for all of them. */
export class PlacedRuns {
  readonly #inputs: SweepInputs;
  readonly #files: FileSource;
  readonly #executor: Executor;
  #manifests: Promise<Manifests> | undefined;

  constructor(inputs: SweepInputs, files: FileSource, executor: Executor) {
    this.#inputs = inputs;
    this.#files = files;
    this.#executor = executor;
  }

  /** @throws CodedError */
  async load(settings: Settings): Promise<LoadedRun> {
    const { config } = settings;
    const given = { config: config === undefined ? undefined : String(config) };
    const { names, files } = patchedFiles(settings, given, this.#files);
    const configuration = names.config === undefined ? undefined : await readConfiguration(names.config, files);
    checkGates(this.#inputs, configuration);
    const { featureGates } = this.#inputs;
    if (this.#inputs.manifests.length > 0) {
      const cluster = await this.#cluster();
      return this.#runOf({ cluster, configuration, featureGates, settings }, cluster.warnings);
    }
    if (configuration !== undefined) checkProfiles(configuration, shownName(names.config ?? ''));
    return this.#runOf({ cluster: null, configuration, featureGates, settings }, []);
  }

  #runOf(placing: Placing, warnings: readonly string[]): LoadedRun {
    return { warnings, run: (seed) => place(placing, seed, this.#executor) };
  }

  async #cluster(): Promise<Manifests> {
    if (this.#manifests === undefined) {
      // Controllers, which make the pods of workloads, are loaded only by those who need them.
      const { expandWorkloads } = await import('../expansion/expand-workloads.ts');
      const { manifests, isStrict, validate, expand: expands = true } = this.#inputs;
      const expand = expands ? expandWorkloads : undefined;
      this.#manifests ??= readManifests(manifests, this.#files, { isStrict, validate, expand });
    }
    return this.#manifests;
  }
}
