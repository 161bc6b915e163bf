import { labelKeyProblems } from '../api/label-syntax.ts';
import { isExtendedResourceName } from '../api/resources.ts';
import { formatDuration } from '../lib/go-duration.ts';
import type { TlsOptions } from '../lib/http-poster.ts';
import {
  base64,
  boolean,
  type Decoder,
  duration,
  empty,
  int64,
  list,
  mapped,
  or,
  orIfZero,
  string,
  struct,
} from './decode/decoder.ts';
import { type ConfigurationError, invalid } from './decode/field-error.ts';

const managedResource = struct({ name: or(string, ''), ignoredByScheduler: or(boolean, false) });

const tlsConfig: Decoder<TlsOptions> = struct({
  insecure: boolean,
  serverName: string,
  certFile: string,
  keyFile: string,
  caFile: string,
  certData: base64,
  keyData: base64,
  caData: base64,
});

const extender: Decoder<ExtenderConfiguration> = mapped(
  struct({
    urlPrefix: or(string, ''),
    filterVerb: or(string, ''),
    preemptVerb: or(string, ''),
    prioritizeVerb: or(string, ''),
    bindVerb: or(string, ''),
    weight: or(int64, 0),
    enableHTTPS: or(boolean, false),
    tlsConfig,
    httpTimeout: orIfZero(duration({ nullable: false }), 5_000_000_000n),
    /** Whether the extender knows the nodes, so that only their names are sent. */
    nodeCacheCapable: or(boolean, false),
    managedResources: or(list(managedResource, empty(managedResource)), []),
    /** Whether scheduling continues when the extender fails. */
    ignorable: or(boolean, false),
  }),
  ({ httpTimeout, ...rest }) => ({ ...rest, httpTimeoutNanoseconds: httpTimeout }),
);

export const extenders = list(extender, empty(extender));

/** An HTTP service that takes part in scheduling. Only verbs that are not '' are called. */
export interface ExtenderConfiguration {
  readonly urlPrefix: string;
  readonly filterVerb: string;
  readonly preemptVerb: string;
  readonly prioritizeVerb: string;
  readonly bindVerb: string;
  readonly weight: number;
  readonly enableHTTPS: boolean;
  readonly tlsConfig?: TlsOptions | undefined;
  readonly httpTimeoutNanoseconds: bigint;
  /** Whether the extender knows the nodes, so that only their names are sent. */
  readonly nodeCacheCapable: boolean;
  readonly managedResources: readonly ManagedResource[];
  /** Whether scheduling continues when the extender fails. */
  readonly ignorable: boolean;
}

/** An extended resource whose pods the extender is asked about. */
export interface ManagedResource {
  readonly name: string;
  /** Whether NodeResourcesFit leaves the resource to the extender. */
  readonly ignoredByScheduler: boolean;
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

/** The extender as v1 JSON, without the members that upstream omits when they are empty. */
export function encodeExtender({ urlPrefix, httpTimeoutNanoseconds, ...rest }: ExtenderConfiguration): object {
  const { tlsConfig, managedResources } = rest;
  return {
    urlPrefix,
    ...withoutEmpty({
      ...rest,
      tlsConfig: tlsConfig && withoutEmpty(tlsConfig),
      managedResources:
        managedResources.length > 0 &&
        managedResources.map((resource) => ({ name: resource.name, ...withoutEmpty(resource) })),
    }),
    httpTimeout: formatDuration(httpTimeoutNanoseconds),
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
  return /-----BEGIN [A-Z0-9 ]+-----[^-]+-----END [A-Z0-9 ]+-----/.test(atob(data));
}

function withoutEmpty(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => Boolean(value)));
}

function extendedResourceErrors(name: string, field: string): ConfigurationError[] {
  const problems = labelKeyProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalid(field, name, problem));
  return isExtendedResourceName(name) ? [] : [invalid(field, name, 'is an invalid extended resource name')];
}
