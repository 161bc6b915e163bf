import { CodedError } from '../lib/errors.ts';
import { parameterNamesOf, type SweepPlan, SweepRuns } from './sweep-plan.ts';

/** Parameters, and files, that only a simulation has. */
const SIMULATED = ['shape', 'recording', 'workload', 'faults', 'lose', 'until'];
const RUNS_MAX = 100_000_000;

/** Whether the parameters and inputs ask for clusters in time, and not only for the placing of pods. */
export function asksForSimulation({ inputs, ...plan }: Omit<SweepPlan, 'mode'>): boolean {
  const names = parameterNamesOf(plan);
  const isSimulated = (name: string): boolean => SIMULATED.includes(name) || /^(?:workload|faults)[.[]/.test(name);
  return inputs.openb !== null || inputs.alibaba !== null || names.some(isSimulated);
}

/** What a placing does where nothing is said: a synthetic cluster. Every simulation has a rule for ties. */
export function withDefaults(plan: SweepPlan): SweepPlan {
  const names = parameterNamesOf(plan);
  const isSynthetic = plan.mode === 'place' && plan.inputs.manifests.length === 0;
  const defaults = {
    ...(isSynthetic && { kind: ['hetero'], nodes: [1000], pods: [5000] }),
    ...(!names.includes('recording') && { tieBreak: ['first'] }),
  };
  const missing = Object.entries(defaults).filter(([name]) => !names.includes(name));
  return { ...plan, parameters: { ...plan.parameters, ...Object.fromEntries(missing) } };
}

/** Refuses parameters that would have no effect. @throws CodedError `Usage` */
export function checkPlan(plan: SweepPlan): void {
  const { mode, inputs, list, parameters } = plan;
  const names = parameterNamesOf(plan);
  const refuse = (unused: readonly string[], where: string): void => {
    const name = names.find((one) => unused.includes(one));
    if (name !== undefined) throw usage(`${name} has no effect ${where}`);
  };
  const hasManifests = inputs.manifests.length > 0;
  if (mode === 'place' && inputs.featureGates?.GenericWorkload) {
    throw usage('the feature gate GenericWorkload needs --simulate: a placing has no queue in which groups wait');
  }
  if (mode === 'simulate') refuse(['kind', 'pods'], 'in a simulation');
  else if (hasManifests) refuse(['kind', 'nodes', 'pods'], 'on the cluster of -f');
  const hasRecording = names.includes('recording');
  if (hasRecording && hasManifests) throw usage('a recording has its own objects: it goes without -f and -k');
  const twice = Object.keys(parameters).find((name) => list?.some((row) => row[name] !== undefined));
  if (twice !== undefined) throw usage(`${twice} is in --list and beside it`);
  const hasTrace = inputs.openb !== null || inputs.alibaba !== null;
  const hasInput = hasManifests || hasTrace || ['nodes', 'workload', 'recording'].some((name) => names.includes(name));
  if (mode === 'simulate' && !hasInput) {
    throw usage('nothing to simulate: give objects (-f), --nodes, --workload, --recording or a trace');
  }
  const { count } = new SweepRuns(plan);
  if (count > RUNS_MAX) throw usage(`there are ${count} runs, at most ${RUNS_MAX} are possible`);
}

function usage(reason: string): CodedError<'Usage'> {
  return new CodedError('Usage', reason);
}
