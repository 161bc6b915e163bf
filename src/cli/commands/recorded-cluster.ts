import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { shownName } from '../../manifests/file-source.ts';
import { loadSimulation } from '../../simulation/load-simulation.ts';
import { presentCluster } from '../../simulation/present-cluster.ts';
import { readRecording } from '../../simulation/recording.ts';
import { readSimkubeTrace } from '../../simulation/simkube/read-simkube-trace.ts';
import { Simulation, type SimulationInput } from '../../simulation/simulation.ts';
import { refuseTooManyPods } from '../../simulation/workload/wanted-pods.ts';
import { readConfiguration, refuseExtenders } from '../flags/scheduler-flags.ts';
import { watchReading } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { runSimulation } from './simulate-one.ts';

const RECORDING_MAX_BYTES = 2 ** 31 - 1;

export interface RecordedCluster {
  readonly cluster: Required<ClusterManifest>;
  /** The options of the scheduler that placed its pods. */
  readonly scheduler: Pick<
    SimulationInput['scheduler'],
    'configuration' | 'tieBreak' | 'percentageOfNodesToScore' | 'featureGates'
  >;
}

/** The cluster of a recording at a time after its beginning: it is run again until then. */
export async function recordedCluster(name: string, atMillis: number, terminal: Terminal): Promise<RecordedCluster> {
  const recording = readRecording(await terminal.files.read(name, RECORDING_MAX_BYTES), shownName(name));
  const { request, files } = recording;
  const { input } = await watchReading(request.manifests, terminal, (hooks) =>
    loadSimulation(request, {
      files,
      readUserTrace: readSimkubeTrace,
      checkObjects: refuseTooManyPods,
      reading: hooks,
      readConfiguration: async (file) => {
        const { configuration } = await readConfiguration(file, { ...terminal, files });
        refuseExtenders(configuration);
        return configuration;
      },
    }),
  );
  const simulation = new Simulation({ ...input, untilMillis: atMillis });
  await runSimulation(simulation, { terminal, title: '', isEnough: () => false });
  const { configuration, tieBreak, percentageOfNodesToScore, featureGates } = input.scheduler;
  return {
    cluster: presentCluster(simulation.cluster.store),
    scheduler: { configuration, tieBreak, percentageOfNodesToScore, featureGates },
  };
}
