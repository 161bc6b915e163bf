import { statSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../api/meta.ts';
import { CodedError } from '../../lib/errors.ts';
import type { Pace } from '../../lib/paced-event-loop.ts';
import { serve } from '../../serving/serve.ts';
import type { ServeOptions } from '../../serving/serve-options.ts';
import { type LogFlags, loggerOf } from '../flags/log-level.ts';
import { readConfiguration } from '../flags/scheduler-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What `berth serve` was asked for. */
export interface ServeFlags extends LogFlags {
  readonly filename?: readonly string[];
  readonly nodes?: number;
  readonly shape?: readonly string[];
  readonly listen?: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly kubeconfig: string;
  readonly scheduler: boolean;
  readonly config?: string;
  readonly controllers?: readonly string[];
  readonly agents?: boolean;
  readonly speed: Pace;
  readonly seed?: number;
  readonly data?: string;
  readonly snapshot?: string;
  readonly record?: string;
}

const MANIFEST_BYTES_MAX = 256 * 2 ** 20;
const TOKEN_BYTES_MAX = 2 ** 16;

/** Serves the API of a cluster until it is interrupted. @throws CodedError */
export async function serveCluster(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const { nodes, shape, listen, port, tokenFile, agents = false, speed } = flags;
  const { controllers, seed, data, snapshot, record } = flags;
  const served = await serve({
    ...{ port, speed, agents },
    ...(listen !== undefined && { host: listen }),
    ...(tokenFile !== undefined && { token: await tokenIn(tokenFile, terminal) }),
    ...(nodes !== undefined && { nodes }),
    ...(shape !== undefined && { shapes: shape }),
    ...(controllers !== undefined && { controllers }),
    ...(seed !== undefined && { seed }),
    ...(data !== undefined && { data }),
    ...(snapshot !== undefined && { snapshot }),
    ...(record !== undefined && { record }),
    scheduler: await schedulerOf(flags, terminal),
    objects: await readObjects(flags.filename ?? [], terminal),
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
}

/** @throws CodedError */
async function schedulerOf(flags: ServeFlags, terminal: Terminal): Promise<NonNullable<ServeOptions['scheduler']>> {
  if (!flags.scheduler) return false;
  const logger = loggerOf(flags, terminal);
  if (flags.config === undefined) return { logger };
  const { configuration } = await readConfiguration(flags.config, terminal);
  return { logger, configuration };
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
async function readObjects(names: readonly string[], terminal: Terminal): Promise<KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for (const name of names) {
    const text = Buffer.from(await terminal.files.read(name, MANIFEST_BYTES_MAX)).toString();
    for (const document of parseAllDocuments(text)) {
      const [problem] = document.errors;
      if (problem !== undefined) throw new CodedError('InvalidSyntax', `${name}: ${problem.message}`);
      const value = document.toJS() as (KubernetesObject & { items?: KubernetesObject[] }) | null;
      if (value !== null) objects.push(...(value.kind?.endsWith('List') ? (value.items ?? []) : [value]));
    }
  }
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
