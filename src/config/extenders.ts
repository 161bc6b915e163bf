import { labelKeyProblems } from '../api/label-syntax.ts';
import { isExtendedResourceName } from '../api/resources.ts';
import { formatDuration } from '../lib/go-duration.ts';
import { base64, boolean, duration, int64, list, string, struct } from './decode/decoder.ts';
import { type ConfigurationError, invalid } from './decode/field-error.ts';

/** An HTTP service that takes part in scheduling. Only verbs that are not '' are called. */
export interface ExtenderConfiguration {
  readonly urlPrefix: string;
  readonly filterVerb: string;
  readonly preemptVerb: string;
  readonly prioritizeVerb: string;
  readonly bindVerb: string;
  readonly weight: number;
  readonly enableHTTPS: boolean;
  readonly tlsConfig: ExtenderTLSConfig | undefined;
  readonly httpTimeoutNanoseconds: bigint;
  /** Whether the extender knows the nodes, so that only their names are sent. */
  readonly nodeCacheCapable: boolean;
  readonly managedResources: readonly { readonly name: string; readonly ignoredByScheduler: boolean }[];
  /** Whether scheduling continues when the extender fails. */
  readonly ignorable: boolean;
}

/** Members that end in `Data` are base64. */
export interface ExtenderTLSConfig {
  readonly insecure?: boolean | undefined;
  readonly serverName?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly certData?: string | undefined;
  readonly keyData?: string | undefined;
  readonly caData?: string | undefined;
}

const DEFAULT_TIMEOUT_NANOSECONDS = 5_000_000_000n;

const extender = struct({
  urlPrefix: string,
  filterVerb: string,
  preemptVerb: string,
  prioritizeVerb: string,
  bindVerb: string,
  weight: int64,
  enableHTTPS: boolean,
  tlsConfig: struct({
    insecure: boolean,
    serverName: string,
    certFile: string,
    keyFile: string,
    caFile: string,
    certData: base64,
    keyData: base64,
    caData: base64,
  }),
  httpTimeout: duration({ nullable: false }),
  nodeCacheCapable: boolean,
  managedResources: list(struct({ name: string, ignoredByScheduler: boolean }), {}),
  ignorable: boolean,
});

export const extenders = list(extender, {});

export function withDefaultExtenders(given: ReturnType<typeof extenders>): ExtenderConfiguration[] {
  return (given ?? []).map(({ httpTimeout, managedResources = [], ...rest }) => ({
    urlPrefix: rest.urlPrefix ?? '',
    filterVerb: rest.filterVerb ?? '',
    preemptVerb: rest.preemptVerb ?? '',
    prioritizeVerb: rest.prioritizeVerb ?? '',
    bindVerb: rest.bindVerb ?? '',
    weight: rest.weight ?? 0,
    enableHTTPS: rest.enableHTTPS ?? false,
    tlsConfig: rest.tlsConfig,
    httpTimeoutNanoseconds: httpTimeout || DEFAULT_TIMEOUT_NANOSECONDS,
    nodeCacheCapable: rest.nodeCacheCapable ?? false,
    managedResources: managedResources.map(({ name = '', ignoredByScheduler = false }) => ({
      name,
      ignoredByScheduler,
    })),
    ignorable: rest.ignorable ?? false,
  }));
}

/** Validates extenders. Neither URL nor timeout is checked, as upstream. */
export function validateExtenders(extenders: readonly ExtenderConfiguration[]): ConfigurationError[] {
  const errors: ConfigurationError[] = [];
  const managed = new Set<string>();
  for (const [i, { prioritizeVerb, weight, managedResources }] of extenders.entries()) {
    const path = `extenders[${i}]`;
    if (prioritizeVerb !== '' && weight <= 0) {
      errors.push(invalid(`${path}.weight`, weight, 'must have a positive weight applied to it'));
    }
    for (const [j, { name }] of managedResources.entries()) {
      const field = `${path}.managedResources[${j}].name`;
      errors.push(...extendedResourceErrors(name, field));
      if (managed.has(name)) errors.push(invalid(field, name, 'duplicate extender managed resource name'));
      managed.add(name);
    }
  }
  const binders = extenders.filter(({ bindVerb }) => bindVerb !== '').length;
  if (binders > 1) {
    const found = `found ${binders} extenders implementing bind`;
    errors.push(invalid('extenders', found, 'only one extender can implement bind'));
  }
  return errors;
}

/** The extender as v1 JSON; members that upstream omits when they are empty are undefined. */
export function encodeExtender({ httpTimeoutNanoseconds, ...rest }: ExtenderConfiguration): object {
  const managedResources = rest.managedResources.map(({ name, ignoredByScheduler }) => ({
    name,
    ignoredByScheduler: ignoredByScheduler || undefined,
  }));
  return {
    urlPrefix: rest.urlPrefix,
    filterVerb: rest.filterVerb || undefined,
    preemptVerb: rest.preemptVerb || undefined,
    prioritizeVerb: rest.prioritizeVerb || undefined,
    bindVerb: rest.bindVerb || undefined,
    weight: rest.weight || undefined,
    enableHTTPS: rest.enableHTTPS || undefined,
    tlsConfig: rest.tlsConfig && withoutEmpty(rest.tlsConfig),
    httpTimeout: formatDuration(httpTimeoutNanoseconds),
    nodeCacheCapable: rest.nodeCacheCapable || undefined,
    managedResources: managedResources.length > 0 ? managedResources : undefined,
    ignorable: rest.ignorable || undefined,
  };
}

/**
 * Why an extender's connection cannot be set up (client-go/transport); undefined if it can. Files are not read here.
 */
export function transportProblem({ enableHTTPS, tlsConfig = {} }: ExtenderConfiguration): string | undefined {
  const hasAuthority = Boolean(tlsConfig.caFile || tlsConfig.caData);
  // HTTPS without a certificate authority means that the certificate is not verified.
  const isInsecure = tlsConfig.insecure || (enableHTTPS && !hasAuthority);
  if (hasAuthority && isInsecure) return 'specifying a root certificates file with the insecure flag is not allowed';
  if (tlsConfig.caData && !isPem(tlsConfig.caData)) {
    return 'unable to load root certificates: unable to parse bytes as PEM block';
  }
  if (tlsConfig.certData && tlsConfig.keyData) {
    if (!isPem(tlsConfig.certData)) return 'tls: failed to find any PEM data in certificate input';
    if (!isPem(tlsConfig.keyData)) return 'tls: failed to find any PEM data in key input';
  }
  return undefined;
}

function isPem(data: string): boolean {
  return /-----BEGIN [A-Z0-9 ]+-----[^-]+-----END [A-Z0-9 ]+-----/.test(Buffer.from(data, 'base64').toString('latin1'));
}

function withoutEmpty(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => Boolean(value)));
}

function extendedResourceErrors(name: string, field: string): ConfigurationError[] {
  const problems = labelKeyProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalid(field, name, problem));
  return isExtendedResourceName(name) ? [] : [invalid(field, name, 'is an invalid extended resource name')];
}
