import { statSync } from 'node:fs';
import type { KubernetesObject } from '../../api/meta.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import { CodedError } from '../../lib/errors.ts';
import type { Pace } from '../../lib/paced-event-loop.ts';
import { readAnyObjects } from '../../manifests/any-objects.ts';
import { FieldWarnings } from '../../manifests/field-warnings.ts';
import { serve } from '../../serving/serve.ts';
import type { ServeOptions } from '../../serving/serve-options.ts';
import { type InputFlags, inputFiles } from '../flags/input-flags.ts';
import { type LogFlags, loggerOf } from '../flags/log-level.ts';
import { readConfiguration, refuseLonelyGates } from '../flags/scheduler-flags.ts';
import { watchReading } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';

/** What `berth serve` was asked for. */
export interface ServeFlags extends LogFlags, Omit<InputFlags, 'strict' | 'expand'> {
  readonly nodes?: number;
  readonly shape?: readonly string[];
  readonly listen?: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly kubeconfig: string;
  readonly scheduler: boolean;
  readonly config?: string;
  readonly featureGates?: Partial<FeatureGates>;
  readonly controllers?: readonly string[];
  readonly agents?: boolean;
  readonly speed: Pace;
  readonly seed?: number;
  readonly data?: string;
  readonly snapshot?: string;
  readonly record?: string;
}

const TOKEN_BYTES_MAX = 2 ** 16;

/** Serves the API of a cluster until it is interrupted. Returns the exit code. @throws CodedError */
export async function serveCluster(flags: ServeFlags, terminal: Terminal): Promise<number> {
  const { nodes, shape, listen, port, tokenFile, agents = false, speed } = flags;
  const { featureGates, controllers, seed, data, snapshot, record } = flags;
  const objects = await readObjects(flags, terminal);
  // A snapshot is read as well, and takes its own place.
  for (const name of [flags.kubeconfig, ...[record, snapshot].filter((each) => each !== undefined)])
    terminal.noteOutput(name);
  const served = await serve({
    ...{ port, speed, agents },
    ...(listen !== undefined && { host: listen }),
    ...(tokenFile !== undefined && { token: await tokenIn(tokenFile, terminal) }),
    ...(nodes !== undefined && { nodes }),
    ...(shape !== undefined && { shapes: shape }),
    ...(featureGates !== undefined && { featureGates }),
    ...(controllers !== undefined && { controllers }),
    ...(seed !== undefined && { seed }),
    ...(data !== undefined && { data }),
    ...(snapshot !== undefined && { snapshot }),
    ...(record !== undefined && { record }),
    scheduler: await schedulerOf(flags, terminal),
    objects,
    onError: (error, activity) => terminal.log(`error: ${activity}: ${error instanceof Error ? error.message : error}`),
  });
  try {
    const path = served.writeKubeconfig(flags.kubeconfig);
    terminal.log(`the Kubernetes API is served on ${served.url}; Ctrl-C ends it`);
    terminal.log(`a page for browsers: ${served.url}/#token=${served.token}`);
    await terminal.print(`export KUBECONFIG=${path}\n`);
    await interrupted(terminal);
  } finally {
    await served.close();
  }
  return EXIT_INTERRUPTED;
}

/** @throws CodedError */
async function schedulerOf(flags: ServeFlags, terminal: Terminal): Promise<NonNullable<ServeOptions['scheduler']>> {
  const { featureGates, config } = flags;
  const given = flags.scheduler && config !== undefined ? await readConfiguration(config, terminal) : undefined;
  refuseLonelyGates(featureGates, given?.configuration);
  if (!flags.scheduler) return false;
  const logger = loggerOf(flags, terminal);
  return given === undefined ? { logger } : { logger, configuration: given.configuration };
}

/** The token in a file that nobody else may read. @throws CodedError */
async function tokenIn(name: string, terminal: Terminal): Promise<string> {
  const token = Buffer.from(await terminal.files.read(name, TOKEN_BYTES_MAX))
    .toString()
    .trim();
  if (isReadableByOthers(name)) {
    throw new CodedError('TokenIsPublic', `${name}: others may read the token; chmod 600 ${name}`);
  }
  return token;
}

/** Whether anybody but its owner may read a file. Windows has no such bits. */
function isReadableByOthers(name: string): boolean {
  return process.platform !== 'win32' && ((statSync(name, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** All objects of the files, those in lists one by one. @throws CodedError */
async function readObjects(flags: ServeFlags, terminal: Terminal): Promise<readonly KubernetesObject[]> {
  if (flags.filename === undefined && flags.kustomize === undefined) return [];
  const files = await inputFiles(flags, terminal);
  const fields = new FieldWarnings(flags.validate);
  const objects = await watchReading(files, terminal, (hooks) => readAnyObjects(files, terminal.files, hooks, fields));
  for (const text of fields.texts()) terminal.log(`warning: ${text}`);
  return objects;
}

function interrupted(terminal: Terminal): Promise<void> {
  return new Promise((done) => {
    const stop = terminal.onInterrupt(() => {
      stop();
      done();
    });
  });
}
