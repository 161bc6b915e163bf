import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Node } from '../../api/node.ts';
import { ApiServer } from '../../apiserver/api-server.ts';
import { type Certificate, newCertificate } from '../../apiserver/http/certificate.ts';
import { kubeconfigText } from '../../apiserver/kubeconfig.ts';
import { Cluster } from '../../cluster/cluster.ts';
import type { ApiObject } from '../../kinds/object/json.ts';
import { CodedError } from '../../lib/errors.ts';
import { type EventLoop, RealEventLoop } from '../../lib/event-loop.ts';
import { ScaledEventLoop } from '../../lib/scaled-event-loop.ts';
import { newSecret } from '../../lib/secret.ts';
import { shapedNodes } from '../../simulation/node-shape.ts';
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
  readonly speed: number;
}

const LOOPBACK = '127.0.0.1';
const NAMES = ['localhost', LOOPBACK, '::1'];
const MANIFEST_BYTES_MAX = 256 * 2 ** 20;
/** Serves the API of a cluster until it is interrupted. @throws CodedError */
export async function serve(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const timers = new RealEventLoop((error) => terminal.log(`error: ${error instanceof Error ? error.message : error}`));
  const loop = flags.speed === 1 ? timers : new ScaledEventLoop(timers, flags.speed);
  const cluster = newCluster(flags, loop, terminal);
  for (const node of readyNodes(flags)) cluster.store.create('nodes', node);
  const token = newSecret();
  const certificate = await newCertificate(NAMES, timers.nowMillis());
  const server = new ApiServer({
    ledger: cluster.store.ledger,
    clock: loop,
    timers,
    seed: seedOf(token),
    access: { token, hosts: NAMES },
    certificate,
    emptiesNamespaces: true,
  });
  for (const object of await readObjects(flags.filename ?? [], terminal)) await create(server, object);
  cluster.start();
  const port = await listen(server, flags.port);
  const path = writeKubeconfig(flags.kubeconfig, port, certificate, token);
  terminal.log(`the Kubernetes API is served on https://${LOOPBACK}:${port}; Ctrl-C ends it`);
  await terminal.print(`export KUBECONFIG=${path}\n`);
  await interrupted(terminal);
  cluster.stop();
  await server.close();
}

function newCluster(flags: ServeFlags, loop: EventLoop, terminal: Terminal): Cluster {
  return new Cluster({
    loop,
    onError: (error, activity) => terminal.log(`error: ${activity}: ${error instanceof Error ? error.message : error}`),
    ...(flags.scheduler && { scheduler: {} }),
    ...(flags.agents && { nodeAgents: {} }),
  });
}

const READY = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the node is simulated' } as const;

/** The synthetic nodes; without agents nobody else would call them ready. */
function* readyNodes({ nodes = 0, shape = [], agents = false }: ServeFlags): Iterable<Node> {
  for (const node of shapedNodes(nodes, shape)) {
    const conditions = agents ? {} : { conditions: [READY] };
    yield { ...node, status: { ...node.status, ...conditions } };
  }
}

/** A seed from the token, so that uids and names differ from run to run. */
function seedOf(token: string): number {
  return Buffer.from(token, 'base64url').readUInt32LE(0);
}

/** All objects of the files, those in lists one by one. @throws CodedError */
async function readObjects(names: readonly string[], terminal: Terminal): Promise<ApiObject[]> {
  const objects: ApiObject[] = [];
  for (const name of names) {
    const text = Buffer.from(await terminal.files.read(name, MANIFEST_BYTES_MAX)).toString();
    for (const document of parseAllDocuments(text)) {
      const [problem] = document.errors;
      if (problem !== undefined) throw new CodedError('InvalidSyntax', `${name}: ${problem.message}`);
      const value = document.toJS() as (ApiObject & { items?: ApiObject[] }) | null;
      if (value !== null) objects.push(...(value.kind?.endsWith('List') ? (value.items ?? []) : [value]));
    }
  }
  return objects;
}

/** @throws CodedError */
async function create(server: ApiServer, object: ApiObject): Promise<void> {
  try {
    await server.create(object);
  } catch (error) {
    const title = `${object.kind} ${object.metadata?.name}`;
    throw new CodedError('InvalidObject', `${title}: ${error instanceof Error ? error.message : error}`);
  }
}

/** @throws CodedError `PortNotFree` */
async function listen(server: ApiServer, port: number): Promise<number> {
  try {
    return await server.listen(LOOPBACK, port);
  } catch (error) {
    throw new CodedError('PortNotFree', `port ${port}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Writes the file for clients, which only its owner may read; returns its full path. @throws CodedError */
function writeKubeconfig(name: string, port: number, { certPem }: Certificate, token: string): string {
  const path = resolve(name);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, kubeconfigText({ server: `https://${LOOPBACK}:${port}`, certPem, token }), { mode: 0o600 });
    // The mode of a file that exists already is not changed by writing it.
    chmodSync(path, 0o600);
  } catch (error) {
    throw new CodedError('FileNotWritable', `${path}: ${error instanceof Error ? error.message : error}`);
  }
  return path;
}

function interrupted(terminal: Terminal): Promise<void> {
  return new Promise((done) => {
    const stop = terminal.onInterrupt(() => {
      stop();
      done();
    });
  });
}
