import type { GroupFeatures } from '../../api/pod-group-admission.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import type { BodyReader, ServedResource } from '../../kinds/object/kind-schema.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { NameSource } from '../../store/objects/names.ts';
import type { CustomDefinitions } from '../definitions/definitions.ts';
import type { ResourceRegistry } from '../resources/resource-registry.ts';
import type { Storages } from '../storage/storages.ts';
import type { CreateTemplates } from '../templates/create-templates.ts';
import type { AcceptedType } from './media-types.ts';

/** What a request is answered from. */
export interface ApiModules {
  readonly ledger: Ledger;
  readonly storages: Storages;
  readonly registry: ResourceRegistry;
  /** Counts milliseconds since the Unix epoch. */
  readonly clock: Clock;
  /** The real time, by which connections are served. */
  readonly timers: EventLoop;
  readonly names: NameSource;
  /** What creates of like objects have in common. */
  readonly templates: CreateTemplates;
  readonly readBody: BodyReader;
  /** The feature gates that decide what is kept of pods, groups of pods, and templates of both. */
  readonly features: GroupFeatures;
  /** What custom definitions define. */
  readonly definitions: CustomDefinitions;
  /** Who the clients are: every request that is let in may do everything. */
  readonly user: JsonObject;
  /** Answers paths that Kubernetes does not have; returns undefined for all others. */
  readonly ownPaths?: OwnPaths | undefined;
  /** Whether a text is the token by which clients are let in; absent where everybody is. */
  readonly isToken?: (token: string) => boolean;
}

/** @throws StatusError */
export type OwnPaths = (request: ApiRequest) => Answer | Promise<Answer> | undefined;

/** A request as it came, without its connection. */
export interface ApiRequest {
  readonly method: string;
  /** The path of the URL, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  /** The address by which the client reached the server, `127.0.0.1:6443`. */
  readonly host: string;
  readonly body: string;
  /** Whether a body was sent, which may be empty. */
  readonly hasBody: boolean;
}

/** A request for objects of a resource. */
export interface ResourceRequest {
  readonly modules: ApiModules;
  readonly request: ApiRequest;
  readonly served: ServedResource;
  /** '' for cluster-wide resources, and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly isWatchPath: boolean;
  readonly accepted: AcceptedType;
}

/** The answer to a request; streams of watches are `WatchAnswer`. */
export type Answer = ObjectAnswer | TextAnswer | WatchAnswer;

export interface ObjectAnswer {
  readonly type: 'object';
  readonly status: number;
  readonly object: JsonObject;
  readonly warnings?: readonly string[];
  /** The schema's columns are used when a Table is asked for; absent: the object is sent as it is. */
  readonly served?: ServedResource | undefined;
  readonly contentType?: string;
  /** Returns the JSON text of the object in pieces, where that is cheaper than to write the object. */
  readonly pieces?: () => readonly string[];
}

export interface TextAnswer {
  readonly type: 'text';
  readonly status: number;
  readonly text: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Events as they come, until `stop` is called. */
export interface WatchAnswer {
  readonly type: 'watch';
  readonly served: ServedResource;
  readonly timeoutSeconds: number | undefined;
  readonly source: EventSource;
}

export interface StreamEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
  /** Where the object is a stored one: what it is stored as, and its JSON text. */
  readonly stored?: { readonly key: object; text(): string };
}

export interface EventSource {
  /** Returns the next event, or undefined when there is none now. */
  next(): StreamEvent | undefined;
  /** `wake` is called when there is something after `next` returned undefined. */
  onReady(wake: () => void): void;
  stop(): void;
}

export function answerOf(
  served: ServedResource,
  object: ApiObject,
  { status = 200, warnings = [] }: { readonly status?: number; readonly warnings?: readonly string[] } = {},
): ObjectAnswer {
  return { type: 'object', status, object, warnings, served };
}
