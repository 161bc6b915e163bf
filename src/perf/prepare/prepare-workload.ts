import { checkConfiguration, defaultSchedulerConfiguration } from '../../caller/load-configuration.ts';
import type { SchedulerConfiguration } from '../../config/configuration.ts';
import type { Resource } from '../../store/objects/resources.ts';
import { Params } from '../config/params.ts';
import { PerfError } from '../config/perf-error.ts';
import { type Step, stepsOf } from '../config/steps.ts';
import type { SelectedWorkload } from '../config/workload-selection.ts';
import { configurationUnder, type FeatureGates, mergedGates, refusedGates } from './feature-gates.ts';
import { type PreparedStep, prepareStep, Unsupported } from './prepare-step.ts';
import type { TemplateLibrary } from './template-library.ts';
import { FULL, TINY, warmUpStepsOf } from './warm-up-steps.ts';

export interface TitledStep {
  /** The title, such as `operation 2 (createPods)`. */
  readonly title: string;
  readonly run: PreparedStep;
}

/** A workload with everything that it needs to run. */
export interface PreparedWorkload extends SelectedWorkload {
  readonly steps: readonly TitledStep[];
  /** The same steps with few objects, to warm up, and with hardly any; their results do not count. */
  readonly warmUpSteps: readonly TitledStep[];
  readonly tinySteps: readonly TitledStep[];
  readonly gates: FeatureGates;
  /** Whether pods may have resource claims. */
  readonly hasClaims: boolean;
  readonly configuration: SchedulerConfiguration;
}

/** With objects of these, pods may have claims. */
const CLAIM_RESOURCES: readonly Resource[] = ['resourceclaims', 'resourceclaimtemplates', 'resourceslices'];

/** A workload that is not run, and the reason. */
export interface NotRun {
  readonly name: string;
  readonly reason: string;
}

export interface Preparation {
  /** The benchmark file, for messages. */
  readonly file: string;
  readonly library: TemplateLibrary;
  /** The configuration of test cases that have none; absent: kube-scheduler's own, except that every node is scored. */
  readonly configuration?: SchedulerConfiguration | undefined;
}

/**
 * Reads everything that the workload refers to. @throws PerfError, and what the source throws, when a file cannot be
 * used
 */
export async function prepareWorkload(
  selected: SelectedWorkload,
  preparation: Preparation,
): Promise<PreparedWorkload | NotRun> {
  const { name, testCase, workload } = selected;
  const { file, library } = preparation;
  const gates = mergedGates(testCase.featureGates, workload.featureGates);
  const title = `${file}: ${name}`;
  const params = new Params(workload.params, title);
  const steps = stepsOf(testCase.operations, params, title);
  const reasons = [...testCase.unsupported, ...refusedGates(gates), ...unknownOpcodes(steps)];
  if (reasons.length > 0) return { name, reason: `not supported: ${[...new Set(reasons)].join(', ')}` };
  const nodeFeatures = featureNames(params.optionalCount(NODE_FEATURES) ?? 0);
  params.checkUnused();
  try {
    const { defaultPodTemplatePath, schedulerConfigPath } = testCase;
    const own = schedulerConfigPath === undefined ? undefined : await readConfiguration(schedulerConfigPath, library);
    const configuration = configurationUnder(gates, own ?? preparation.configuration ?? scoringEveryNode());
    const made = new Set<Resource>();
    const prepare = (all: readonly Step[]): Promise<TitledStep[]> =>
      Promise.all(
        all.map(async (step, index) => ({
          title: `operation ${index} (${step.opcode})`,
          run: await prepareStep({ step, index, library, defaultPodTemplatePath, nodeFeatures, made }),
        })),
      );
    const prepared = {
      steps: await prepare(steps),
      warmUpSteps: await prepare(warmUpStepsOf(steps, FULL)),
      tinySteps: await prepare(warmUpStepsOf(steps, TINY)),
    };
    const hasClaims = CLAIM_RESOURCES.some((name) => made.has(name)) || steps.some(isResourceDriver);
    return { ...selected, ...prepared, gates, configuration, hasClaims };
  } catch (error) {
    if (error instanceof Unsupported) return { name, reason: `not supported: ${error.message}` };
    throw error;
  }
}

/** The parameter that no operation refers to: upstream's topic nodedeclaredfeatures reads it for all nodes. */
const NODE_FEATURES = '$numNodeDeclaredFeatures';

/** The features that so many nodes declare, named as upstream names them. */
function featureNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Feature${i + 1}`).sort();
}

function isResourceDriver({ opcode }: Step): boolean {
  return opcode === 'createResourceDriver';
}

function unknownOpcodes(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => (step.opcode === 'unknown' ? [`opcode ${step.name}`] : []));
}

function scoringEveryNode(): SchedulerConfiguration {
  return { ...defaultSchedulerConfiguration(), percentageOfNodesToScore: 100 };
}

async function readConfiguration(path: string, library: TemplateLibrary): Promise<SchedulerConfiguration> {
  const loaded = checkConfiguration(await library.text(path));
  if (!loaded.ok) {
    const messages = loaded.errors.map(({ message }) => message).join('; ');
    throw new PerfError('InvalidPerfConfig', `${library.fileOf(path)}: ${messages}`);
  }
  if (loaded.configuration.extenders.length > 0) throw new Unsupported(`HTTP extenders in ${library.fileOf(path)}`);
  return loaded.configuration;
}
