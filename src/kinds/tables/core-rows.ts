import { objectAt, objectsAt, textAt, textsAt } from '../defaults/members.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import { ageOf, countAt, LISTED_MAX, labelsText, listed, nameOf, numberAt, selectorText, since } from './cell-texts.ts';
import type { CellsOf } from './workload-rows.ts';

/** Rows of the other kinds, in the order of their columns. */

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeCells(node: JsonObject, now: number): JsonValue[] {
  const status = objectAt(node, 'status');
  const info = objectAt(status, 'nodeInfo');
  const ready = objectsAt(status, 'conditions').find(({ type }) => type === 'Ready');
  const states = [ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady'];
  if (objectAt(node, 'spec')?.['unschedulable'] === true) states.push('SchedulingDisabled');
  const labels = objectAt(objectAt(node, 'metadata'), 'labels') ?? {};
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length) roles.add(key.slice(ROLE_PREFIX.length));
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(String(value));
  }
  const address = (wanted: string): string =>
    textAt(
      objectsAt(status, 'addresses').find(({ type }) => type === wanted),
      'address',
    ) || '<none>';
  const known = (name: string): string => textAt(info, name) || '<unknown>';
  return [
    ...[nameOf(node), states.join(','), [...roles].sort().join(',') || '<none>', ageOf(node, now)],
    ...[textAt(info, 'kubeletVersion'), address('InternalIP'), address('ExternalIP')],
    ...[known('osImage'), known('kernelVersion'), known('containerRuntimeVersion')],
  ];
}

function serviceCells(service: JsonObject, now: number): JsonValue[] {
  const spec = objectAt(service, 'spec');
  const ports = objectsAt(spec, 'ports').map((port) => {
    const node = numberAt(port, 'nodePort') > 0 ? `:${numberAt(port, 'nodePort')}` : '';
    return `${numberAt(port, 'port')}${node}/${textAt(port, 'protocol')}`;
  });
  return [
    ...[
      nameOf(service),
      textAt(spec, 'type'),
      textsAt(spec, 'clusterIPs')[0] ?? (textAt(spec, 'clusterIP') || '<none>'),
    ],
    ...[externalAddress(service), ports.join(',') || '<none>', ageOf(service, now), labelsText(spec?.['selector'])],
  ];
}

function externalAddress(service: JsonObject): string {
  const spec = objectAt(service, 'spec');
  const external = textsAt(spec, 'externalIPs');
  const type = textAt(spec, 'type');
  if (type === 'ExternalName') return textAt(spec, 'externalName');
  if (type !== 'LoadBalancer') return external.join(',') || '<none>';
  return [...balancerAddresses(service), ...external].join(',') || '<pending>';
}

function balancerAddresses(object: JsonObject): string[] {
  const points = objectsAt(objectAt(objectAt(object, 'status'), 'loadBalancer'), 'ingress');
  const texts = points.map((point) => textAt(point, 'ip') || textAt(point, 'hostname'));
  return [...new Set(texts.filter((text) => text !== ''))].sort();
}

function endpointsCells(endpoints: JsonObject, now: number): JsonValue[] {
  const addresses = objectsAt(endpoints, 'subsets').flatMap((subset) => {
    const ips = objectsAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
    const ports = objectsAt(subset, 'ports').map((port) => numberAt(port, 'port'));
    if (ports.length === 0) return ips;
    return ports.flatMap((port) => ips.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  const none = countAt(endpoints, 'subsets') === 0 ? '<none>' : '';
  return [nameOf(endpoints), listed(addresses, none), ageOf(endpoints, now)];
}

/** Both forms of an event: of the core group, and of `events.k8s.io`. */
function eventCells(event: JsonObject, now: number): JsonValue[] {
  const regarding = objectAt(event, 'involvedObject') ?? objectAt(event, 'regarding');
  const source = objectAt(event, 'source') ?? objectAt(event, 'deprecatedSource');
  const series = objectAt(event, 'series');
  const first = event['firstTimestamp'] ?? event['deprecatedFirstTimestamp'] ?? event['eventTime'];
  const last = event['lastTimestamp'] ?? event['deprecatedLastTimestamp'] ?? first;
  const given = numberAt(event, 'count') || numberAt(event, 'deprecatedCount') || 1;
  const component =
    textAt(source, 'component') || textAt(event, 'reportingComponent') || textAt(event, 'reportingController');
  const instance = textAt(source, 'host') || textAt(event, 'reportingInstance');
  const kind = textAt(regarding, 'kind').toLowerCase();
  const name = textAt(regarding, 'name');
  return [
    since(series?.['lastObservedTime'] ?? last, now),
    ...[textAt(event, 'type'), textAt(event, 'reason'), name === '' ? kind : `${kind}/${name}`],
    ...[textAt(regarding, 'fieldPath'), instance === '' ? component : `${component}, ${instance}`],
    (textAt(event, 'message') || textAt(event, 'note')).trim(),
    ...[since(first, now), series === undefined ? given : numberAt(series, 'count'), nameOf(event)],
  ];
}

const MODES: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function modesText(modes: readonly string[]): string {
  return MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function storageClassName(object: JsonObject): string {
  const annotations = objectAt(objectAt(object, 'metadata'), 'annotations');
  return (
    textAt(annotations, 'volume.beta.kubernetes.io/storage-class') ||
    textAt(objectAt(object, 'spec'), 'storageClassName')
  );
}

function phaseText(object: JsonObject): string {
  const isGoing = objectAt(object, 'metadata')?.['deletionTimestamp'] !== undefined;
  return isGoing ? 'Terminating' : textAt(objectAt(object, 'status'), 'phase');
}

function volumeCells(volume: JsonObject, now: number): JsonValue[] {
  const spec = objectAt(volume, 'spec');
  const claim = objectAt(spec, 'claimRef');
  return [
    ...[nameOf(volume), textAt(objectAt(spec, 'capacity'), 'storage'), modesText(textsAt(spec, 'accessModes'))],
    ...[textAt(spec, 'persistentVolumeReclaimPolicy'), phaseText(volume)],
    claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`,
    ...[storageClassName(volume), spec?.['volumeAttributesClassName'] ?? '<unset>'],
    textAt(objectAt(volume, 'status'), 'reason'),
    ...[ageOf(volume, now), textAt(spec, 'volumeMode') || '<unset>'],
  ];
}

function claimCells(claim: JsonObject, now: number): JsonValue[] {
  const spec = objectAt(claim, 'spec');
  const status = objectAt(claim, 'status');
  const volume = textAt(spec, 'volumeName');
  const isBound = volume !== '';
  return [
    ...[nameOf(claim), phaseText(claim), volume],
    isBound ? textAt(objectAt(status, 'capacity'), 'storage') || '0' : '',
    isBound ? modesText(textsAt(status, 'accessModes')) : '',
    ...[storageClassName(claim), spec?.['volumeAttributesClassName'] ?? '<unset>', ageOf(claim, now)],
    textAt(spec, 'volumeMode') || '<unset>',
  ];
}

function resourceClaimState(claim: JsonObject): string {
  const status = objectAt(claim, 'status');
  const states = objectAt(claim, 'metadata')?.['deletionTimestamp'] === undefined ? [] : ['deleted'];
  if (objectAt(status, 'allocation') === undefined)
    return [...states, ...(states.length > 0 ? [] : ['pending'])].join(',');
  states.push('allocated');
  if (countAt(status, 'reservedFor') > 0) states.push('reserved');
  return states.join(',');
}

function sliceCells(slice: JsonObject, now: number): JsonValue[] {
  const ports = objectsAt(slice, 'ports').map(({ port, name }) => String(port ?? name ?? '*'));
  const addresses = objectsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'));
  const lists = [listed(ports, '<unset>'), listed(addresses, '<unset>')];
  return [nameOf(slice), textAt(slice, 'addressType'), ...lists, ageOf(slice, now)];
}

function ingressCells(ingress: JsonObject, now: number): JsonValue[] {
  const spec = objectAt(ingress, 'spec');
  const ports = countAt(spec, 'tls') > 0 ? '80, 443' : '80';
  const address = balancerAddresses(ingress).join(',');
  const ingressClass = textAt(spec, 'ingressClassName') || '<none>';
  return [nameOf(ingress), ingressClass, hostsText(objectsAt(spec, 'rules')), address, ports, ageOf(ingress, now)];
}

/** The first three hosts. Rules without a host are not shown, yet those behind the third host are counted. */
function hostsText(rules: readonly JsonObject[]): string {
  const hosts = rules.map((rule) => textAt(rule, 'host'));
  const shown = hosts.filter((host) => host !== '').slice(0, LISTED_MAX);
  const isFull =
    shown.length === LISTED_MAX && hosts.indexOf(shown.at(-1) as string, LISTED_MAX - 1) < hosts.length - 1;
  return isFull ? `${shown.join(',')} + ${hosts.length - LISTED_MAX} more...` : shown.join(',') || '*';
}

function bindingCells(binding: JsonObject, now: number): JsonValue[] {
  const role = objectAt(binding, 'roleRef');
  const subjects = (kind: string): string =>
    objectsAt(binding, 'subjects')
      .filter((subject) => subject['kind'] === kind)
      .map((subject) => (kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/` : '') + textAt(subject, 'name'))
      .join(', ');
  const who = ['User', 'Group', 'ServiceAccount'].map(subjects);
  return [nameOf(binding), `${textAt(role, 'kind')}/${textAt(role, 'name')}`, ageOf(binding, now), ...who];
}

function requestCondition(request: JsonObject): string {
  const conditions = objectsAt(objectAt(request, 'status'), 'conditions').map((each) => textAt(each, 'type'));
  const states = [['Denied', 'Approved'].find((type) => conditions.includes(type)) ?? 'Pending'];
  if (conditions.includes('Failed')) states.push('Failed');
  if (textAt(objectAt(request, 'status'), 'certificate') !== '') states.push('Issued');
  return states.join(',');
}

function policyCells(rules: string): CellsOf {
  return (policy, now) => {
    const spec = objectAt(policy, 'spec');
    const kind = objectAt(spec, 'paramKind');
    const text = kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
    return [nameOf(policy), countAt(spec, rules), text, ageOf(policy, now)];
  };
}

function policyBindingCells(binding: JsonObject, now: number): JsonValue[] {
  const spec = objectAt(binding, 'spec');
  const parameters = objectAt(spec, 'paramRef');
  const name = textAt(parameters, 'name');
  const text = name === '' ? '<unset>' : `${textAt(parameters, 'namespace') || '*'}/${name}`;
  return [nameOf(binding), textAt(spec, 'policyName'), text, ageOf(binding, now)];
}

/** Name, the text of some members of the spec, age. */
function simple(...paths: readonly string[]): CellsOf {
  return (object, now) => [nameOf(object), ...paths.map((path) => String(memberAt(object, path))), ageOf(object, now)];
}

function memberAt(object: JsonObject, path: string): JsonValue {
  let value: JsonValue | undefined = object;
  for (const name of path.split('.')) value = objectAt({ value }, 'value')?.[name];
  return value ?? '';
}

function counted(list: string, within?: string): CellsOf {
  return (object, now) => [
    nameOf(object),
    countAt(within === undefined ? object : objectAt(object, within), list),
    ageOf(object, now),
  ];
}

const CORE_ROWS: Readonly<Record<string, CellsOf>> = {
  Node: nodeCells,
  Service: serviceCells,
  Endpoints: endpointsCells,
  EndpointSlice: sliceCells,
  Event: eventCells,
  PersistentVolume: volumeCells,
  PersistentVolumeClaim: claimCells,
  Ingress: ingressCells,
  RoleBinding: bindingCells,
  ClusterRoleBinding: bindingCells,
  Namespace: simple('status.phase'),
  ConfigMap: (object, now) => [
    nameOf(object),
    countAt(object, 'data') + countAt(object, 'binaryData'),
    ageOf(object, now),
  ],
  Secret: (object, now) => [nameOf(object), textAt(object, 'type'), countAt(object, 'data'), ageOf(object, now)],
  ServiceAccount: simple(),
  DeviceClass: simple(),
  ResourceClaimTemplate: simple(),
  ResourceClaim: (object, now) => [nameOf(object), resourceClaimState(object), ageOf(object, now)],
  ResourceSlice: simple('spec.nodeName', 'spec.driver', 'spec.pool.name'),
  Lease: simple('spec.holderIdentity'),
  RuntimeClass: simple('handler'),
  VolumeAttributesClass: simple('driverName'),
  PriorityClass: (object, now) => [
    ...[nameOf(object), numberAt(object, 'value'), object['globalDefault'] === true, ageOf(object, now)],
    textAt(object, 'preemptionPolicy') || 'PreemptLowerPriority',
  ],
  StorageClass: (object, now) => {
    const annotations = objectAt(objectAt(object, 'metadata'), 'annotations');
    const isDefault = ['', 'beta.'].some(
      (stage) => annotations?.[`storageclass.${stage}kubernetes.io/is-default-class`] === 'true',
    );
    const texts = ['provisioner', 'reclaimPolicy', 'volumeBindingMode'].map((name) => textAt(object, name));
    const name = nameOf(object) + (isDefault ? ' (default)' : '');
    return [name, ...texts, object['allowVolumeExpansion'] === true, ageOf(object, now)];
  },
  CSINode: counted('drivers', 'spec'),
  ValidatingWebhookConfiguration: counted('webhooks'),
  MutatingWebhookConfiguration: counted('webhooks'),
};

const CLUSTER_ROWS: Readonly<Record<string, CellsOf>> = {
  VolumeAttachment: (object, now) => {
    const spec = objectAt(object, 'spec');
    const volume = textAt(objectAt(spec, 'source'), 'persistentVolumeName');
    const attached = objectAt(object, 'status')?.['attached'] === true;
    return [nameOf(object), textAt(spec, 'attacher'), volume, textAt(spec, 'nodeName'), attached, ageOf(object, now)];
  },
  NetworkPolicy: (object, now) => [
    ...[nameOf(object), selectorText(objectAt(object, 'spec')?.['podSelector']), ageOf(object, now)],
  ],
  IngressClass: (object, now) => {
    const spec = objectAt(object, 'spec');
    const parameters = objectAt(spec, 'parameters');
    const group = textAt(parameters, 'apiGroup');
    const kind = textAt(parameters, 'kind') + (group === '' ? '' : `.${group}`);
    const text = parameters === undefined ? '<none>' : `${kind}/${textAt(parameters, 'name')}`;
    return [nameOf(object), textAt(spec, 'controller'), text, ageOf(object, now)];
  },
  IPAddress: (object, now) => {
    const parent = objectAt(objectAt(object, 'spec'), 'parentRef');
    if (parent === undefined) return [nameOf(object), '<none>', ageOf(object, now)];
    const group = textAt(parent, 'group');
    const resource = (textAt(parent, 'resource') + (group === '' ? '' : `.${group}`)).toLowerCase();
    const place = textAt(parent, 'namespace') === '' ? '' : `/${textAt(parent, 'namespace')}`;
    return [nameOf(object), `${resource}${place}/${textAt(parent, 'name')}`, ageOf(object, now)];
  },
  ServiceCIDR: (object, now) => [
    nameOf(object),
    textsAt(objectAt(object, 'spec'), 'cidrs').join(','),
    ageOf(object, now),
  ],
  ValidatingAdmissionPolicy: policyCells('validations'),
  MutatingAdmissionPolicy: policyCells('mutations'),
  ValidatingAdmissionPolicyBinding: policyBindingCells,
  MutatingAdmissionPolicyBinding: policyBindingCells,
  FlowSchema: (object, now) => {
    const spec = objectAt(object, 'spec');
    const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
    const dangling = textAt(
      conditions.find(({ type }) => type === 'Dangling'),
      'status',
    );
    return [
      ...[nameOf(object), textAt(objectAt(spec, 'priorityLevelConfiguration'), 'name')],
      ...[numberAt(spec, 'matchingPrecedence'), textAt(objectAt(spec, 'distinguisherMethod'), 'type') || '<none>'],
      ...[ageOf(object, now), dangling || '?'],
    ];
  },
  PriorityLevelConfiguration: (object, now) => {
    const spec = objectAt(object, 'spec');
    const limited = objectAt(spec, 'limited');
    const queuing = objectAt(objectAt(limited, 'limitResponse'), 'queuing');
    const queues = ['queues', 'handSize', 'queueLengthLimit'].map((name) => queuing?.[name] ?? '<none>');
    const shares = limited?.['nominalConcurrencyShares'] ?? '<none>';
    return [nameOf(object), textAt(spec, 'type'), shares, ...queues, ageOf(object, now)];
  },
  CertificateSigningRequest: (object, now) => {
    const spec = objectAt(object, 'spec');
    const seconds = spec?.['expirationSeconds'];
    const duration = typeof seconds === 'number' ? since(new Date(now - seconds * 1000).toISOString(), now) : '<none>';
    const texts = [textAt(spec, 'signerName') || '<none>', textAt(spec, 'username'), duration];
    return [nameOf(object), ageOf(object, now), ...texts, requestCondition(object)];
  },
};

export const OTHER_ROWS: Readonly<Record<string, CellsOf>> = { ...CORE_ROWS, ...CLUSTER_ROWS };
