import type { Container, Pod } from '../../api/pod.ts';
import type { ExtenderConfiguration, ExtenderTLSConfig } from '../../config/extenders.ts';
import type { ExtenderRole } from '../../framework/extender-calls.ts';
import { type Logger, NO_LOGGER } from '../../lib/logger.ts';

const NANOSECONDS_PER_MILLI = 1e6;

/** An HTTP service that has a say in decisions (upstream's extender.go): what it is asked, and for which pods. */
export class Extender {
  /** Its place in the configuration. */
  readonly index: number;
  /** As error texts and scores call it: the URL prefix as written. */
  readonly name: string;
  readonly weight: number;
  readonly isIgnorable: boolean;
  /** It knows the nodes: names are sent, and expected. */
  readonly isNodeCacheCapable: boolean;
  readonly #verbs: Readonly<Record<ExtenderRole, string>>;
  readonly #managedResources: ReadonlySet<string>;
  readonly #timeoutMillis: number;
  readonly #enableHTTPS: boolean;
  readonly #tls: ExtenderTLSConfig;
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
    this.#timeoutMillis = Number(configuration.httpTimeoutNanoseconds) / NANOSECONDS_PER_MILLI;
    this.#enableHTTPS = configuration.enableHTTPS;
    this.#tls = configuration.tlsConfig ?? {};
  }

  /** '' when it is never asked to. */
  verb(role: ExtenderRole): string {
    return this.#verbs[role];
  }

  has(role: ExtenderRole): boolean {
    return this.#verbs[role] !== '';
  }

  /** Its answers can change where a pod goes; otherwise it binds at most. */
  get decides(): boolean {
    return this.has('filter') || this.has('prioritize') || this.has('preempt');
  }

  url(role: ExtenderRole): string {
    return `${this.name.replace(/\/+$/, '')}/${this.#verbs[role]}`;
  }

  /** 0 or less: it may take as long as it likes. */
  get timeoutMillis(): number {
    return this.#timeoutMillis;
  }

  /** HTTPS without an authority means that nobody checks the certificate. */
  get tls(): ExtenderTLSConfig {
    const { caFile, caData, insecure } = this.#tls;
    return { ...this.#tls, insecure: insecure || (this.#enableHTTPS && !caFile && !caData) };
  }

  /** It could not be asked, or its answer could not be used. */
  failed(role: ExtenderRole, error: string): void {
    this.#logger.warn('an extender failed', { url: this.url(role), role, isIgnorable: this.isIgnorable, error });
  }

  /** An extender that manages resources is called only for pods that request one of them. */
  isInterested({ spec }: Pod): boolean {
    if (this.#managedResources.size === 0) return true;
    const asks = ({ resources }: Container): boolean =>
      Object.keys({ ...resources?.requests, ...resources?.limits }).some((name) => this.#managedResources.has(name));
    return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(asks);
  }
}

/** In the order in which they are asked: those whose failures do not matter come last. */
export function extendersOf(configurations: readonly ExtenderConfiguration[], logger = NO_LOGGER): Extender[] {
  const extenders = configurations.map((configuration, index) => new Extender(configuration, index, logger));
  return [...extenders.filter(({ isIgnorable }) => !isIgnorable), ...extenders.filter((each) => each.isIgnorable)];
}

/** Whether extenders have to be asked before it is known where the pod goes. */
export function needsExtenders(extenders: readonly Extender[], pod: Pod): boolean {
  return extenders.some((extender) => extender.decides && extender.isInterested(pod));
}
