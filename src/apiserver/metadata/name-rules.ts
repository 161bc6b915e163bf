/** How objects may be named (upstream: the name functions of each kind's validation). */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_PATTERN = new RegExp(`^${LABEL}$`);
const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);

const LABEL_PROBLEM =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
  "and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', " +
  `regex used for validation is '${LABEL}')`;
const SUBDOMAIN_PROBLEM =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'example.com', " +
  `regex used for validation is '${SUBDOMAIN}')`;

/** Returns the problems of a name; `isPrefix` for one that a suffix will follow. */
export type NameRule = (name: string, isPrefix: boolean) => string[];

/** A DNS subdomain. Upstream counts its length in characters or in bytes, as the words of the kind's checks go. */
function subdomainRule(unit: 'characters' | 'bytes'): NameRule {
  return (name, isPrefix) => {
    const text = isPrefix ? withoutTrailingDash(name) : name;
    const problems = Buffer.byteLength(text) > 253 ? [`must be no more than 253 ${unit}`] : [];
    return SUBDOMAIN_PATTERN.test(text) ? problems : [...problems, SUBDOMAIN_PROBLEM];
  };
}

const dnsSubdomain = subdomainRule('characters');

export const dnsLabel: NameRule = (name, isPrefix) => {
  const text = isPrefix ? withoutTrailingDash(name) : name;
  const problems = Buffer.byteLength(text) > 63 ? ['must be no more than 63 characters'] : [];
  if (LABEL_PATTERN.test(text)) return problems;
  return [...problems, SUBDOMAIN_PATTERN.test(text) ? 'must not contain dots' : LABEL_PROBLEM];
};

/** A name that only has to fit into a path. */
export const pathSegment: NameRule = (name, isPrefix) => {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((character) => name.includes(character)).map((one) => `may not contain '${one}'`);
};

const RULES: Readonly<Record<string, NameRule>> = {
  Namespace: dnsLabel,
  Service: dnsLabel,
  'StatefulSet.apps': dnsLabel,
  // The API checks the name of a device class, but no prefix from which a name is made.
  'DeviceClass.resource.k8s.io': (name, isPrefix) => (isPrefix ? [] : subdomainRule('bytes')(name, false)),
  'Role.rbac.authorization.k8s.io': pathSegment,
  'ClusterRole.rbac.authorization.k8s.io': pathSegment,
  'RoleBinding.rbac.authorization.k8s.io': pathSegment,
  'ClusterRoleBinding.rbac.authorization.k8s.io': pathSegment,
};

/** The rule for a kind: `Service`, `Role.rbac.authorization.k8s.io`. */
export function nameRuleOf(kind: string): NameRule {
  return RULES[kind] ?? dnsSubdomain;
}

/** A prefix may end with a dash, since more follows. */
function withoutTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

/** Kinds whose own validation does not look at metadata: after it only what every object must have is checked. */
export function hasFreeMetadata({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return kind === 'PodDisruptionBudget' || (kind === 'Event' && group === '');
}
