import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '../api/meta.ts';
import { type GroupFeatures, NO_GROUP_FEATURES } from '../api/pod-group-admission.ts';
import { StatusError } from '../kinds/object/status-error.ts';
import { KindSchemas } from '../kinds/registry/schema-registry.ts';
import { readBody } from '../kinds/schema/body-reader.ts';
import type { Clock } from '../lib/clock.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { Prng } from '../lib/prng.ts';
import { isSameSecret } from '../lib/secret.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import type { FurtherObjects } from '../store/objects/further-objects.ts';
import { RandomNames } from '../store/objects/names.ts';
import { addSystemObjects } from './bootstrap.ts';
import type { ApiModules, OwnPaths, TextAnswer } from './context/context.ts';
import { CustomDefinitions } from './definitions/definitions.ts';
import { ServedObjects } from './further-objects.ts';
import type { AccessRules } from './http/access.ts';
import type { AuditSink } from './http/audit.ts';
import type { Certificate } from './http/certificate.ts';
import type { Durability } from './http/durability.ts';
import { ApiHttpServer } from './http/http-server.ts';
import type { HttpLimits } from './http/limits.ts';
import { NamespaceController } from './namespaces/namespace-controller.ts';
import { BUILT_IN_RESOURCES, POD_GROUP_RESOURCES } from './resources/built-in-resources.ts';
import { ResourceRegistry } from './resources/resource-registry.ts';
import { route } from './routing/route.ts';
import { Storages } from './storage/storages.ts';
import { CreateTemplates } from './templates/create-templates.ts';

export interface ApiServerOptions {
  readonly ledger: Ledger;
  /** Counts milliseconds since the Unix epoch; the time of the cluster, by which objects are dated. */
  readonly clock: Clock;
  /** The real time, by which connections are served. */
  readonly timers: EventLoop;
  /** The seed of uids and generated names. */
  readonly seed: number;
  readonly access?: AccessRules;
  /** Absent: plain HTTP. */
  readonly certificate?: Certificate | undefined;
  readonly ownPaths?: OwnPaths | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /** What browsers get at `/`; absent: nothing. */
  readonly page?: (() => TextAnswer) | undefined;
  /** Receives a line for each request; absent: nobody does. */
  readonly auditSink?: AuditSink | undefined;
  /** What keeps the ledger on disk; absent: nothing does. */
  readonly durability?: Durability | undefined;
  /** Whether namespaces that are deleted are emptied here; absent: somebody else does it. */
  readonly emptiesNamespaces?: boolean;
  /** The feature gates of groups: with GenericWorkload PodGroups and Workloads are served. Absent: none is on. */
  readonly features?: GroupFeatures;
}

const ADMIN = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** The Kubernetes API over HTTP, in front of what a ledger holds. */
export class ApiServer {
  readonly #http: ApiHttpServer;
  readonly #modules: ApiModules;
  readonly #namespaces: NamespaceController | undefined;

  constructor(options: ApiServerOptions) {
    const { ledger, clock, timers, seed, access = {}, certificate, durability, emptiesNamespaces = false } = options;
    const { token } = access;
    const { ownPaths, auditSink, limits, page, features = NO_GROUP_FEATURES } = options;
    const storages = new Storages(ledger);
    const resources = features.GenericWorkload ? [...BUILT_IN_RESOURCES, ...POD_GROUP_RESOURCES] : BUILT_IN_RESOURCES;
    const registry = new ResourceRegistry(new KindSchemas(), resources);
    const names = new RandomNames(new Prng(seed));
    const modules: ApiModules = {
      ledger,
      storages,
      registry,
      templates: new CreateTemplates({ ledger, storages, names, clock }),
      definitions: new CustomDefinitions({ registry, storages, clock }),
      clock,
      timers,
      names,
      readBody,
      features,
      user: ADMIN,
      ownPaths,
      ...(token === undefined ? {} : { isToken: (text: string) => isSameSecret(text, token) }),
    };
    this.#modules = modules;
    addSystemObjects(modules);
    if (emptiesNamespaces) this.#namespaces = new NamespaceController(modules);
    this.#namespaces?.start();
    modules.definitions.sync();
    this.#http = new ApiHttpServer(modules, { access, certificate, durability, auditSink, limits, page });
  }

  /** Begins to serve; returns the port, which is a free one if 0 is asked for. */
  listen(host: string, port: number): Promise<number> {
    const { server } = this.#http;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** What this API serves and the store does not know. */
  get objects(): FurtherObjects {
    return new ServedObjects(this.#modules);
  }

  /** Creates an object as a client would, in the namespace that it names. @throws StatusError, CodedError */
  async create(object: KubernetesObject): Promise<void> {
    const { apiVersion = '', kind = '', metadata = {} } = object;
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const served = this.#modules.registry.findKind(group as string, version as string, kind);
    if (served === undefined) throw new StatusError(404, 'NotFound', `no resource serves ${apiVersion} ${kind}`);
    const { resource } = served;
    const base = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
    const place = resource.isNamespaced ? `/namespaces/${metadata.namespace || 'default'}` : '';
    await route(this.#modules, {
      ...{ method: 'POST', path: `${base}${place}/${resource.resource}`, query: new URLSearchParams() },
      ...{ accept: undefined, contentType: undefined, userAgent: 'berth', host: '', hasBody: true },
      body: JSON.stringify(object),
    });
  }

  /** Ends all connections, watches among them. */
  close(): Promise<void> {
    const { server } = this.#http;
    this.#namespaces?.stop();
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}
