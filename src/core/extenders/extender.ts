import type { Container, Pod } from '../../api/pod.ts';
import type { ExtenderConfiguration } from '../../config/extenders.ts';
import type { ExtenderRole } from '../../framework/extender-calls.ts';
import type { TlsOptions } from '../../lib/http-poster.ts';
import { type Logger, NO_LOGGER } from '../../lib/logger.ts';

const NANOSECONDS_PER_MILLI = 1e6;

/** An HTTP service that takes part in decisions (upstream's extender.go): its verbs, and the pods it handles. */
export class Extender {
  /** The extender's position in the configuration. */
  readonly index: number;
  /** The URL prefix, by which error texts and scores name the extender. */
  readonly name: string;
  readonly weight: number;
  readonly isIgnorable: boolean;
  /** Whether the extender knows the nodes, so that requests and answers hold only their names. */
  readonly isNodeCacheCapable: boolean;
  /** The time limit of a request; none if it is 0 or less. */
  readonly timeoutMillis: number;
  readonly tls: TlsOptions;
  readonly #verbs: Readonly<Record<ExtenderRole, string>>;
  readonly #managedResources: ReadonlySet<string>;
  readonly #logger: Logger;

  constructor(configuration: ExtenderConfiguration, index: number, logger: Logger) {
    const { urlPrefix, filterVerb, prioritizeVerb, preemptVerb, bindVerb } = configuration;
    this.index = index;
    this.#logger = logger;
    this.name = urlPrefix;
    this.weight = configuration.weight;
    this.isIgnorable = configuration.ignorable;
    this.isNodeCacheCapable = configuration.nodeCacheCapable;
    this.#verbs = { filter: filterVerb, prioritize: prioritizeVerb, preempt: preemptVerb, bind: bindVerb };
    this.#managedResources = new Set(configuration.managedResources.map(({ name }) => name));
    this.timeoutMillis = Number(configuration.httpTimeoutNanoseconds) / NANOSECONDS_PER_MILLI;
    const { caFile, caData, insecure } = configuration.tlsConfig ?? {};
    // With HTTPS and without a certificate authority the certificate is not verified.
    const isUnverified = configuration.enableHTTPS && !caFile && !caData;
    this.tls = { ...configuration.tlsConfig, insecure: insecure || isUnverified };
  }

  /** The verb of the role; '' if the extender has none. */
  verb(role: ExtenderRole): string {
    return this.#verbs[role];
  }

  has(role: ExtenderRole): boolean {
    return this.#verbs[role] !== '';
  }

  /** Whether the extender's answers can change the node of a pod; otherwise it binds at most. */
  get decides(): boolean {
    return this.has('filter') || this.has('prioritize') || this.has('preempt');
  }

  url(role: ExtenderRole): string {
    return `${this.name.replace(/\/+$/, '')}/${this.#verbs[role]}`;
  }

  /** Logs that a request failed, or that its answer is invalid. */
  failed(role: ExtenderRole, error: string): void {
    this.#logger.warn('an extender failed', { url: this.url(role), role, isIgnorable: this.isIgnorable, error });
  }

  /** An extender that manages resources handles only pods that request one of them. */
  isInterested({ spec }: Pod): boolean {
    if (this.#managedResources.size === 0) return true;
    const asks = ({ resources }: Container): boolean =>
      Object.keys({ ...resources?.requests, ...resources?.limits }).some((name) => this.#managedResources.has(name));
    return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(asks);
  }
}

/** The extenders in the order in which they are called: ignorable ones come last. */
export function extendersOf(configurations: readonly ExtenderConfiguration[], logger = NO_LOGGER): Extender[] {
  const extenders = configurations.map((configuration, index) => new Extender(configuration, index, logger));
  return [...extenders.filter(({ isIgnorable }) => !isIgnorable), ...extenders.filter((each) => each.isIgnorable)];
}

/** Whether the decision for the pod needs answers of extenders. */
export function needsExtenders(extenders: readonly Extender[], pod: Pod): boolean {
  return extenders.some((extender) => extender.decides && extender.isInterested(pod));
}
