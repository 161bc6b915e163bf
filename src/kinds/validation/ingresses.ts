import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, dnsSubdomain, domainPathErrors, isIp, portNameProblems, portNumber, unchanged } from './checks.ts';

/** Ingresses and their classes (pkg/apis/networking/validation). */

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const WRONG_IN_PATH = ['//', '/./', '/../', '%2f', '%2F'];
const WRONG_AT_END = ['/..', '/.'];
const LABEL_FORM = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const WILDCARD = new RegExp(`^\\*\\.${LABEL_FORM}(\\.${LABEL_FORM})*$`);
const WILDCARD_TEXT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
  "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', " +
  `regex used for validation is '\\*\\.${LABEL_FORM}(\\.${LABEL_FORM})*')`;
const CONTROLLER_LENGTH_MAX = 250;

export function ingressErrors(ingress: JsonObject): FieldError[] {
  const spec = objectAt(ingress, 'spec') ?? {};
  const backend = objectAt(spec, 'defaultBackend');
  const rules = objectsAt(spec, 'rules');
  const errors: FieldError[] = [];
  if (rules.length === 0 && backend === undefined) {
    const given: JsonValue = Array.isArray(spec['rules']) ? spec['rules'] : null;
    errors.push(invalidValue('spec', given, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (backend !== undefined) errors.push(...backendErrors('spec.defaultBackend', backend));
  for (const [i, rule] of rules.entries()) errors.push(...ruleErrors(`spec.rules[${i}]`, rule));
  for (const [i, tls] of objectsAt(spec, 'tls').entries()) errors.push(...tlsErrors(`spec.tls[${i}]`, tls));
  const name = spec['ingressClassName'];
  if (typeof name === 'string') errors.push(...dnsSubdomain('spec.ingressClassName', name));
  return errors;
}

/** A new ingress names one class, by its field or by the annotation that was before it. */
export function newIngressErrors(ingress: JsonObject): FieldError[] {
  const annotation = objectAt(objectAt(ingress, 'metadata'), 'annotations')?.[CLASS_ANNOTATION];
  const name = objectAt(ingress, 'spec')?.['ingressClassName'];
  const errors = ingressErrors(ingress);
  if (annotation === undefined || name === undefined || annotation === name) return errors;
  const why = 'must match `ingressClassName` when both are specified';
  return [...errors, invalidValue(`annotations.${CLASS_ANNOTATION}`, annotation, why)];
}

function hostErrors(field: string, host: string): FieldError[] {
  if (!host.includes('*')) return dnsSubdomain(field, host);
  const long = host.length > 253 ? [invalidValue(field, host, 'must be no more than 253 characters')] : [];
  return WILDCARD.test(host) ? long : [...long, invalidValue(field, host, WILDCARD_TEXT)];
}

function ruleErrors(field: string, rule: JsonObject): FieldError[] {
  const host = textAt(rule, 'host');
  const errors: FieldError[] = [];
  if (host !== '') {
    if (isIp(host)) errors.push(invalidValue(`${field}.host`, host, 'must be a DNS name, not an IP address'));
    errors.push(...hostErrors(`${field}.host`, host));
  }
  const http = objectAt(rule, 'http');
  if (http === undefined) return errors;
  const paths = objectsAt(http, 'paths');
  if (paths.length === 0) errors.push(requiredValue(`${field}.http.paths`));
  for (const [i, path] of paths.entries()) errors.push(...pathErrors(`${field}.http.paths[${i}]`, path));
  return errors;
}

function pathErrors(field: string, { pathType, ...path }: JsonObject): FieldError[] {
  if (typeof pathType !== 'string') return [requiredValue(`${field}.pathType`, 'pathType must be specified')];
  const text = textAt(path, 'path');
  const errors: FieldError[] = [];
  const refuse = (why: string): void => {
    errors.push(invalidValue(`${field}.path`, text, why));
  };
  if (!PATH_TYPES.includes(pathType)) errors.push(unsupportedValue(`${field}.pathType`, pathType, PATH_TYPES));
  else if (pathType === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) refuse('must be an absolute path');
  } else {
    if (!text.startsWith('/')) refuse('must be an absolute path');
    for (const part of WRONG_IN_PATH) if (text.includes(part)) refuse(`must not contain '${part}'`);
    for (const end of WRONG_AT_END) if (text.endsWith(end)) refuse(`cannot end with '${end}'`);
  }
  return [...errors, ...backendErrors(`${field}.backend`, objectAt(path, 'backend') ?? {})];
}

function backendErrors(field: string, backend: JsonObject): FieldError[] {
  const [resource, service] = [objectAt(backend, 'resource'), objectAt(backend, 'service')];
  if (resource !== undefined && service !== undefined) {
    return [invalidValue(field, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return referenceErrors(`${field}.resource`, resource);
  if (service === undefined) return [invalidValue(field, '', 'resource or service backend is required')];
  const serviceName = textAt(service, 'name');
  const nameField = `${field}.service.name`;
  const errors = serviceName === '' ? [requiredValue(nameField)] : dnsLabel(nameField, serviceName);
  const port = objectAt(service, 'port');
  const [name, number] = [textAt(port, 'name'), port?.['number'] ?? 0];
  const at = `${field}.service.port`;
  if (name !== '' && number !== 0) errors.push(invalidValue(field, '', 'cannot set both port name & port number'));
  else if (name !== '') errors.push(...portNameProblems(name).map((why) => invalidValue(`${at}.name`, name, why)));
  else if (number !== 0) errors.push(...portNumber(`${at}.number`, number));
  else errors.push(requiredValue(field, 'port name or number is required'));
  return errors;
}

function referenceErrors(field: string, reference: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(reference, 'kind') === '') errors.push(requiredValue(`${field}.kind`));
  if (textAt(reference, 'name') === '') errors.push(requiredValue(`${field}.name`));
  const group = reference['apiGroup'];
  if (typeof group === 'string' && group !== '') errors.push(...dnsSubdomain(`${field}.apiGroup`, group));
  return errors;
}

function tlsErrors(field: string, tls: JsonObject): FieldError[] {
  const hosts = Array.isArray(tls['hosts']) ? tls['hosts'].map(String) : [];
  const secret = textAt(tls, 'secretName');
  return [
    ...hosts.flatMap((host, i) => hostErrors(`${field}.hosts[${i}]`, host)),
    ...(secret === '' ? [] : dnsSubdomain(`${field}.secretName`, secret)),
  ];
}

export function ingressClassErrors(ingressClass: JsonObject): FieldError[] {
  const spec = objectAt(ingressClass, 'spec');
  const controller = textAt(spec, 'controller');
  const field = 'spec.controller';
  const errors: FieldError[] = [];
  if (controller.length > CONTROLLER_LENGTH_MAX) {
    errors.push(tooLong(field, `may not be more than ${CONTROLLER_LENGTH_MAX} bytes`));
  }
  return [...errors, ...domainPathErrors(field, controller), ...parametersErrors(objectAt(spec, 'parameters'))];
}

function parametersErrors(parameters: JsonObject | undefined): FieldError[] {
  if (parameters === undefined) return [];
  const field = 'spec.parameters';
  const errors: FieldError[] = [];
  if (textAt(parameters, 'kind') === '') errors.push(requiredValue(`${field}.kind`, 'kind is required'));
  if (textAt(parameters, 'name') === '') errors.push(requiredValue(`${field}.name`, 'name is required'));
  const group = parameters['apiGroup'];
  if (typeof group === 'string' && group !== '') errors.push(...dnsSubdomain(`${field}.apiGroup`, group));
  const [scope, namespace] = [parameters['scope'], parameters['namespace']];
  if (typeof scope !== 'string') return [...errors, requiredValue(`${field}.scope`)];
  if (scope === 'Cluster' && namespace !== undefined) {
    errors.push(forbiddenField(`${field}.namespace`, "parameters.scope is set to 'Cluster'"));
  } else if (scope === 'Namespace' && namespace === undefined) {
    errors.push(requiredValue(`${field}.namespace`, "parameters.scope is set to 'Namespace'"));
  } else if (scope !== 'Cluster' && scope !== 'Namespace') {
    errors.push(unsupportedValue(`${field}.scope`, scope, ['Cluster', 'Namespace']));
  }
  return errors;
}

export function ingressClassUpdateErrors(ingressClass: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [ingressClass, old].map((one) => objectAt(one, 'spec')?.['controller']);
  return [...unchanged('spec.controller', now, before), ...ingressClassErrors(ingressClass)];
}
