import { type FileSource, shownName } from '../manifests/file-source.ts';
import { loadSimulation, type SimulationRequest } from '../simulation/load-simulation.ts';
import { type Recording, readRecording } from '../simulation/recording.ts';
import { refuseTooManyPods } from '../simulation/workload/wanted-pods.ts';
import type { Executor } from './executor.ts';
import { patchedFiles } from './patched-files.ts';
import { checkGates, readConfiguration } from './run-configuration.ts';
import type { LoadedRun } from './run-loader.ts';
import type { Settings } from './settings.ts';
import { simulate } from './simulating.ts';
import type { SweepInputs } from './sweep-plan.ts';

const RECORDING_MAX_BYTES = 2 ** 31 - 1;

/** Loads runs that simulate whole clusters. */
export class SimulatedRuns {
  readonly #inputs: SweepInputs;
  readonly #files: FileSource;
  readonly #executor: Executor;
  #recording: { readonly name: string; readonly recording: Recording } | undefined;

  constructor(inputs: SweepInputs, files: FileSource, executor: Executor) {
    this.#inputs = inputs;
    this.#files = files;
    this.#executor = executor;
  }

  /** @throws CodedError */
  async load(settings: Settings): Promise<LoadedRun> {
    const { isStrict, validate } = this.#inputs;
    const recording = await this.#recordingOf(settings);
    const request = { ...recording?.request, ...requestOf(this.#inputs, settings) } as SimulationRequest;
    const source = recording === undefined ? this.#files : preferring(recording.files, settings, this.#files);
    const { workload, faults, config } = request;
    const { names, files } = patchedFiles(settings, { workload, faults, config }, source);
    const { input, warnings } = await loadSimulation(
      { ...request, ...names },
      { files, readConfiguration, checkObjects: refuseTooManyPods, reading: { isStrict, validate } },
    );
    checkGates(this.#inputs, input.scheduler.configuration);
    return { warnings, run: (seed) => simulate(input, seed, this.#executor) };
  }

  async #recordingOf({ recording }: Settings): Promise<Recording | undefined> {
    if (recording === undefined) return undefined;
    const name = String(recording);
    if (this.#recording?.name !== name) {
      const bytes = await this.#files.read(name, RECORDING_MAX_BYTES);
      this.#recording = { name, recording: readRecording(bytes, shownName(name)) };
    }
    return this.#recording.recording;
  }
}

/** The request of a run, without what is not set: that is as a recording says. */
function requestOf(inputs: SweepInputs, settings: Settings): Partial<SimulationRequest> {
  const { manifests, openb, alibaba, expand, featureGates } = inputs;
  const { nodes, shape, lose, tieBreak, percentageOfNodesToScore, workload, faults, config, until } = settings;
  const all = {
    manifests: manifests.length === 0 && settings['recording'] !== undefined ? undefined : manifests,
    ...{ nodes, workload, faults, config, until, tieBreak, percentageOfNodesToScore },
    ...{ expand, featureGates, openb: openb ?? undefined, alibaba: alibaba ?? undefined },
    shapes: shape === undefined ? undefined : [shape],
    lose: lose === undefined ? undefined : [lose],
    seed: 1,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Reads what the settings name from the files of the sweep, and everything else from those of the recording. */
function preferring(recorded: FileSource, settings: Settings, own: FileSource): FileSource {
  const named = new Set<unknown>(['workload', 'faults', 'config'].map((name) => settings[name]));
  return {
    read: (name, maxBytes) =>
      named.has(name) ? own.read(name, maxBytes) : recorded.read(name, maxBytes).catch(() => own.read(name, maxBytes)),
  };
}
