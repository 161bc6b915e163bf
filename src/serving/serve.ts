import type { KubernetesObject } from '../api/meta.ts';
import type { Node } from '../api/node.ts';
import { ApiServer } from '../apiserver/api-server.ts';
import { newCertificate } from '../apiserver/http/certificate.ts';
import { Cluster } from '../cluster/cluster.ts';
import { type EventLoop, RealEventLoop } from '../lib/event-loop.ts';
import { ScaledEventLoop } from '../lib/scaled-event-loop.ts';
import { newSecret } from '../lib/secret.ts';
import { SteppedEventLoop } from '../lib/stepped-event-loop.ts';
import { shapedNodes } from '../simulation/node-shape.ts';
import { checkServeOptions, ServeError, type ServeOptions } from './serve-options.ts';
import { ServedCluster } from './served-cluster.ts';

const LOOPBACK = '127.0.0.1';
/** The names by which this machine reaches itself. */
const LOOPBACK_NAMES = ['localhost', LOOPBACK, '::1'];

/**
 * Serves the Kubernetes API of a cluster in this process: its store, controllers, scheduler and, if they are wanted,
 * node agents. It resolves when clients can connect.
 *
 * @throws ServeError `Invalid`, `PortNotFree`; CodedError for objects that the API does not take
 */
export async function serve(options: ServeOptions = {}): Promise<ServedCluster> {
  checkServeOptions(options);
  const { host = LOOPBACK, port = 0, tls = true, token = newSecret() } = options;
  const timers = new RealEventLoop(taskError(options));
  const loop = newLoop(options, timers);
  const cluster = newCluster(options, loop);
  for (const node of readyNodes(options)) cluster.store.create('nodes', node);
  const names = [...new Set([...LOOPBACK_NAMES, host])];
  const certificate = tls ? await newCertificate(names, timers.nowMillis()) : undefined;
  const server = new ApiServer({
    ledger: cluster.store.ledger,
    clock: loop,
    timers,
    seed: seedOfNames(options),
    access: { token, hosts: names },
    certificate,
    emptiesNamespaces: true,
  });
  try {
    for (const object of options.objects ?? []) await createFirst(server, object);
    const actualPort = await listen(server, host, port);
    cluster.start();
    const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
    return new ServedCluster({ cluster, server, url, token, certPem: certificate?.certPem });
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A task that throws is a mistake of ours: nobody has to listen to hear of it. */
function taskError({ onError }: ServeOptions): (error: unknown) => void {
  if (onError !== undefined) return (error) => onError(error, 'a task of the event loop');
  return (error) =>
    queueMicrotask(() => {
      throw error;
    });
}

function newLoop(options: ServeOptions, timers: RealEventLoop): EventLoop {
  const { clock = 'real', speed = 1, startMillis } = options;
  if (clock === 'stepped') return new SteppedEventLoop(timers, startMillis, taskError(options));
  return speed === 1 ? timers : new ScaledEventLoop(timers, speed);
}

function newCluster({ seed = 1, scheduler = {}, agents = false, onError }: ServeOptions, loop: EventLoop): Cluster {
  return new Cluster({
    ...{ seed, loop },
    ...(onError && { onError }),
    ...(scheduler && { scheduler }),
    ...(agents && { nodeAgents: agents === true ? {} : agents }),
  });
}

/** The seed of uids and names; on a real clock, where no run is like another, clusters do not share their uids. */
function seedOfNames({ clock, seed }: ServeOptions): number {
  if (seed === undefined && clock !== 'stepped') return Buffer.from(newSecret(), 'base64url').readUInt32LE(0);
  return (seed ?? 1) + 1;
}

const READY = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the node is simulated' } as const;

/** The synthetic nodes; without agents nobody else would call them ready. */
function* readyNodes({ nodes = 0, shapes = [], agents = false }: ServeOptions): Iterable<Node> {
  for (const node of shapedNodes(nodes, shapes)) {
    const conditions = agents ? {} : { conditions: [READY] };
    yield { ...node, status: { ...node.status, ...conditions } };
  }
}

/** @throws ServeError `Invalid` */
async function createFirst(server: ApiServer, object: KubernetesObject): Promise<void> {
  try {
    await server.create(object);
  } catch (error) {
    const title = `${object.kind} ${object.metadata?.name}`;
    throw new ServeError('Invalid', `${title}: ${error instanceof Error ? error.message : error}`);
  }
}

/** @throws ServeError `PortNotFree` */
async function listen(server: ApiServer, host: string, port: number): Promise<number> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    throw new ServeError('PortNotFree', `port ${port} of ${host}: ${error instanceof Error ? error.message : error}`);
  }
}
