import { checkConfiguration } from '../caller/load-configuration.ts';
import type { SchedulerConfiguration } from '../config/configuration.ts';
import { dependencyProblem } from '../config/feature-gates.ts';
import { CodedError } from '../lib/errors.ts';
import { type FileSource, shownName } from '../manifests/file-source.ts';
import { decodeUtf8 } from '../manifests/source-document.ts';
import type { SweepInputs } from './sweep-plan.ts';

const CONFIG_MAX_BYTES = 16 * 2 ** 20;

/** The configuration of a run, from a file. @throws CodedError `RefusedConfiguration` */
export async function readConfiguration(name: string, files: FileSource): Promise<SchedulerConfiguration> {
  const file = shownName(name);
  const loaded = checkConfiguration(decodeUtf8(await files.read(name, CONFIG_MAX_BYTES), file, 1));
  if (!loaded.ok) {
    const reasons = loaded.errors.map(({ message }) => `${file}: ${message}`);
    throw new CodedError('RefusedConfiguration', reasons.join('; '));
  }
  if (loaded.configuration.extenders.length === 0) return loaded.configuration;
  throw new CodedError('RefusedConfiguration', `${file}: extenders[0]: only "berth schedule" asks HTTP extenders`);
}

/** Refuses a gate that is on without one that it needs. @throws CodedError `Usage` */
export function checkGates({ featureGates }: SweepInputs, configuration: SchedulerConfiguration | undefined): void {
  const problem = dependencyProblem({ ...configuration?.featureGates, ...featureGates });
  if (problem !== null) throw new CodedError('Usage', `--feature-gates: ${problem}`);
}
