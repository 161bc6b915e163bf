import { hostname, networkInterfaces } from 'node:os';
import type { KubernetesObject } from '../api/meta.ts';
import type { Node } from '../api/node.ts';
import { NO_GROUP_FEATURES } from '../api/pod-group-admission.ts';
import { ApiServer } from '../apiserver/api-server.ts';
import type { OwnPaths } from '../apiserver/context/context.ts';
import type { SavedLedger } from '../apiserver/durability/saved-ledger.ts';
import { newCertificate } from '../apiserver/http/certificate.ts';
import { Cluster } from '../cluster/cluster.ts';
import { isControllerEnabled } from '../cluster/controller-names.ts';
import { StatusError } from '../kinds/object/status-error.ts';
import { RealEventLoop } from '../lib/event-loop.ts';
import { PacedEventLoop } from '../lib/paced-event-loop.ts';
import { newSecret } from '../lib/secret.ts';
import { shapedDevices, shapedNodes } from '../simulation/node-shape.ts';
import { CLOCK_PATH, clockAnswer } from './clock-path.ts';
import { KeptState } from './kept-state.ts';
import { clusterPage } from './page/page.ts';
import { PagePaths } from './page/page-paths.ts';
import { RecordFile } from './record-file.ts';
import { checkServeOptions, gatesOf, ServeError, type ServeOptions } from './serve-options.ts';
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
  const kept = new KeptState(options, timers);
  const loop = newLoop(options, timers, kept.saved);
  // A run that goes on must not draw the names and uids again that it has.
  const seed = seedOf(options) + (kept.saved?.version ?? 0);
  const cluster = newCluster(options, { loop, seed });
  const { ledger } = cluster.store;
  kept.restoreTo(ledger, () => loop.nowMillis());
  for (const node of readyNodes(options)) {
    if (ledger.get('nodes', '', node.metadata?.name ?? '') === undefined) cluster.store.create('nodes', node);
  }
  const { slices, classes } = shapedDevices(options.nodes ?? 0, options.shapes ?? []);
  for (const each of classes) {
    if (ledger.get('deviceclasses', '', each.metadata?.name ?? '') === undefined) {
      cluster.store.create('deviceclasses', each);
    }
  }
  for (const slice of slices) {
    if (ledger.get('resourceslices', '', slice.metadata?.name ?? '') === undefined) {
      cluster.store.create('resourceslices', slice);
    }
  }
  const names = namesOf(host);
  const record = options.record === undefined ? undefined : new RecordFile(options.record);
  const certificate = tls ? await newCertificate(names, timers.nowMillis()) : undefined;
  const server = new ApiServer({
    ...{ ledger, clock: loop, timers, certificate, durability: kept.data },
    seed: seed + 1,
    access: { token, hosts: names },
    auditSink: record && ((line) => record.write(line)),
    emptiesNamespaces: isControllerEnabled('namespace-controller', options.controllers ?? ['*'], true),
    ownPaths: ownPaths(cluster, loop),
    page: clusterPage,
    features: { ...NO_GROUP_FEATURES, ...gatesOf(options) },
  });
  try {
    for (const object of options.objects ?? []) await createFirst(server, object, kept.saved !== undefined);
    if (isControllerEnabled('garbage-collector-controller', options.controllers ?? ['*'], true)) {
      cluster.garbageCollector.alsoCollect(server.objects);
    }
    const actualPort = await listen(server, host, port);
    cluster.start();
    const reached = ALL_ADDRESSES.includes(host) ? LOOPBACK : host;
    const url = `${tls ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${actualPort}`;
    const isStepped = options.clock === 'stepped';
    return new ServedCluster({
      cluster,
      loop,
      isStepped,
      server,
      kept,
      record,
      url,
      token,
      certPem: certificate?.certPem,
    });
  } catch (error) {
    loop.close();
    await server.close();
    await kept.data?.close();
    await record?.close();
    throw error;
  }
}

/** What the API of a served cluster has besides that of Kubernetes. */
function ownPaths(cluster: Cluster, loop: PacedEventLoop): OwnPaths {
  const page = new PagePaths(cluster, loop);
  return (request) => (request.path === CLOCK_PATH ? clockAnswer(loop, request) : page.answer(request));
}

/** The addresses that stand for all of the machine. */
const ALL_ADDRESSES = ['0.0.0.0', '::'];

/** The names by which clients may reach the server. */
function namesOf(host: string): string[] {
  if (!ALL_ADDRESSES.includes(host)) return [...new Set([...LOOPBACK_NAMES, host.toLowerCase()])];
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const addresses = interfaces.map(({ address }) => address);
  return [...new Set([...LOOPBACK_NAMES, hostname().toLowerCase(), ...addresses])];
}

/** A task that throws is a mistake of ours: nobody has to listen to hear of it. */
function taskError({ onError }: ServeOptions): (error: unknown) => void {
  if (onError !== undefined) return (error) => onError(error, 'a task of the event loop');
  return (error) =>
    queueMicrotask(() => {
      throw error;
    });
}

/** When stepped clocks begin that nobody sets. */
const STEPPED_START_MILLIS = Date.UTC(2026, 0, 1);

function newLoop(options: ServeOptions, timers: RealEventLoop, saved: SavedLedger | undefined): PacedEventLoop {
  const { clock = 'real', speed = 1, startMillis = STEPPED_START_MILLIS } = options;
  const isStepped = clock === 'stepped';
  const firstMillis = isStepped ? startMillis : timers.nowMillis();
  return new PacedEventLoop(timers, {
    onError: taskError(options),
    pace: isStepped ? 'paused' : speed,
    // Time does not go back, although the cluster that is restored may have been ahead of the machine.
    startMillis: Math.max(firstMillis, saved?.clockMillis ?? firstMillis),
  });
}

interface ClusterParts {
  readonly loop: PacedEventLoop;
  readonly seed: number;
}

function newCluster(options: ServeOptions, { loop, seed }: ClusterParts): Cluster {
  const { scheduler = {}, controllers, agents = false, onError } = options;
  const featureGates = gatesOf(options);
  return new Cluster({
    ...{ seed, loop, controllers, featureGates },
    ...(onError && { onError }),
    ...(scheduler && { scheduler: { ...scheduler, featureGates } }),
    ...(agents && { nodeAgents: agents === true ? {} : agents }),
  });
}

/** The seed of uids and names; on a real clock, where no run is like another, clusters do not share their uids. */
function seedOf({ clock, seed }: ServeOptions): number {
  if (seed === undefined && clock !== 'stepped') return Buffer.from(newSecret(), 'base64url').readUInt32LE(0);
  return seed ?? 1;
}

const READY = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the node is simulated' } as const;

/** The synthetic nodes; without agents nobody else would call them ready. */
function* readyNodes({ nodes = 0, shapes = [], agents = false }: ServeOptions): Iterable<Node> {
  for (const node of shapedNodes(nodes, shapes)) {
    const conditions = agents ? {} : { conditions: [READY] };
    yield { ...node, status: { ...node.status, ...conditions } };
  }
}

/** `mayExist`: an object that is there already stays as it is. @throws ServeError `Invalid` */
async function createFirst(server: ApiServer, object: KubernetesObject, mayExist: boolean): Promise<void> {
  try {
    await server.create(object);
  } catch (error) {
    if (mayExist && error instanceof StatusError && error.reason === 'AlreadyExists') return;
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
