import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../api/meta.ts';
import { CodedError } from '../../lib/errors.ts';
import type { Pace } from '../../lib/paced-event-loop.ts';
import { serve } from '../../serving/serve.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What `berth serve` was asked for. */
export interface ServeFlags {
  readonly filename?: readonly string[];
  readonly nodes?: number;
  readonly shape?: readonly string[];
  readonly port: number;
  readonly kubeconfig: string;
  readonly scheduler: boolean;
  readonly agents?: boolean;
  readonly speed: Pace;
  readonly seed?: number;
  readonly data?: string;
  readonly snapshot?: string;
}

const MANIFEST_BYTES_MAX = 256 * 2 ** 20;

/** Serves the API of a cluster until it is interrupted. @throws CodedError */
export async function serveCluster(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const { nodes, shape, port, scheduler, agents = false, speed, seed, data, snapshot } = flags;
  const served = await serve({
    ...{ port, speed, agents },
    ...(nodes !== undefined && { nodes }),
    ...(shape !== undefined && { shapes: shape }),
    ...(!scheduler && { scheduler: false }),
    ...(seed !== undefined && { seed }),
    ...(data !== undefined && { data }),
    ...(snapshot !== undefined && { snapshot }),
    objects: await readObjects(flags.filename ?? [], terminal),
    onError: (error, activity) => terminal.log(`error: ${activity}: ${error instanceof Error ? error.message : error}`),
  });
  try {
    const path = served.writeKubeconfig(flags.kubeconfig);
    terminal.log(`the Kubernetes API is served on ${served.url}; Ctrl-C ends it`);
    await terminal.print(`export KUBECONFIG=${path}\n`);
    await interrupted(terminal);
  } finally {
    await served.close();
  }
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
