import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { goSort } from '../../../src/lib/go-sort.ts';
import { evaluate, mistake } from '../evaluate.ts';

const CANNOT_PARSE = 'could not parse formatting clause:';
const TEXTS = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const TEXT_CLAUSE = `string clause can only be used on ${TEXTS}`;

describe('constant formats', () => {
  it.each<[string, string]>([
    ['"%s".format([1, 2])', 'too many arguments supplied to string.format (expected 1, got 2)'],
    ['"%s %s".format([1])', 'index 1 out of range'],
    ['"%".format([])', 'unexpected end of string'],
    ['"%d".format([1.5])', 'error during formatting: decimal clause can only be used on integers, was given double'],
    ['"%s".format([[1, [quantity("1")]]])', `error during formatting: ${TEXT_CLAUSE}, was given kubernetes.Quantity`],
  ])('%s', (text, expected) => {
    expect(mistake(text)).toContain(expected);
  });

  test('may write lists of several types, also within calls', () => {
    expect(evaluate('"%d %s".format([[[1, 2.5]].size(), [1, "a"]])')).toBe('1 [1, "a"]');
  });
});

describe('strings', () => {
  it.each<[string, unknown]>([
    ['"hello".charAt(4)', 'o'],
    ['"hello".charAt(6)', 'error: index out of range: 6'],
    ['"größe".substring(2, 4)', 'öß'],
    ['"abcabc".indexOf("c", 3)', 5n],
    ['"abcabc".lastIndexOf("b")', 4n],
    ['"a-b-c".split("-", 2)', ['a', 'b-c']],
    ['"aaa".replace("a", "b", 2)', 'bba'],
    ['"ab".replace("", "-")', '-a-b-'],
    ['["a", "b"].join("/")', 'a/b'],
    ['"\\t x ".trim()', 'x'],
    ['strings.quote("a\\n\\"")', '"a\\n\\""'],
    ['"ÄbC".lowerAscii()', 'Äbc'],
    ['"%s is %d, %.2f, %x".format(["a", 5, 1.5, 255])', 'a is 5, 1.50, ff'],
    ['"%s".format([[1, 2]])', '[1, 2]'],
    // Formats are checked before there are values, unless they or the types of their values are only known then.
    [
      'dyn("%d").format(["a"])',
      'error: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    [
      '"%d".format([dyn(1.5)])',
      'error: error during formatting: decimal clause can only be used on integers, was given double',
    ],
    [
      '"%s".format([quantity("1")].map(q, dyn(q)))',
      `error: error during formatting: ${TEXT_CLAUSE}, was given kubernetes.Quantity`,
    ],
    ['dyn("a %").format([1])', 'error: unexpected end of string'],
    ['dyn("%").format([])', 'error: index 0 out of range'],
    [
      'dyn("%.").format([1.0])',
      `error: ${CANNOT_PARSE} error while parsing precision: could not find end of precision specifier`,
    ],
    ['dyn("100%% %j").format([1])', `error: ${CANNOT_PARSE} unrecognized formatting clause "j"`],
    [
      '"%s %s".format([1e6, [1.5, "a\\"b", b"x", null, [true], {2: 3u, "k": double("NaN")}]])',
      '1e+06 [1.500000, "a\\"b", b"x", null, [true], {"k":"NaN", 2:3}]',
    ],
    [
      '"%s".format([[duration("90s"), timestamp("2026-01-02T03:04:05Z")]])',
      '[duration("90s"), timestamp("2026-01-02T03:04:05Z")]',
    ],
    ['"%.2f %f %.0f %f".format([1234567.891, -1000.5, 999.4, "-Infinity"])', '1,234,567.89 -1,000.500000 999 -∞'],
    ['string(duration("20000000.123456789s")) + string(duration("-150ns"))', '20000000.123456787s-0.00000015s'],
    ['["1x"].map(text, duration(text))', "error: type conversion error from 'string' to 'google.protobuf.Duration'"],
    [
      '["2026"].map(text, timestamp(text))',
      "error: type conversion error from 'string' to 'google.protobuf.Timestamp'",
    ],
    ['string(b"\\xef\\xbb\\xbfa").size()', 2n],
    ['"%e %.1e".format([1052.032911275, 0.00012])', '1.052033\u202f×\u202f10⁰³ 1.200000\u202f×\u202f10⁻⁰⁴'],
    ['"%x %X %o %b %b".format(["Az", -30, 8, -5, true])', '417a -1E 10 -101 1'],
    ['"abc123".find("[0-9]+")', '123'],
    ['"a1b2".findAll("[0-9]", 1)', ['1']],
  ])('%s', (text, expected) => {
    expect(evaluate(text)).toEqual(expected);
  });
});

/** Go's sort does not keep the order of more than twelve elements that are equal. */
const SORTED_BY_GO = Array.from({ length: 14 }, (_, i) => BigInt(i));
goSort(SORTED_BY_GO, (a, b) => a % 2n < b % 2n);

describe('lists and sets', () => {
  it.each<[string, unknown]>([
    ['[3, 1, 2].sort()', [1n, 2n, 3n]],
    ['[1, 2, 1].distinct()', [1n, 2n]],
    ['[[1], [2, 3]].flatten()', [1n, 2n, 3n]],
    ['[[1], [2]].flatten(0).size() + [[[1], [2]]].flatten(2).size()', 4n],

    ['lists.range(14).sortBy(i, i % 2)', SORTED_BY_GO],
    ['[1, 2, 3].slice(1, 2)', [2n]],
    ['[1, 2].reverse()', [2n, 1n]],
    ['[1, 2].first().value() + [1, 2].last().value()', 3n],
    ['["b", "a"].isSorted()', false],
    ['[1.5, 2.5].max() - [1.5, 2.5].min()', 1],
    ['sets.intersects([1, 2], [2, 3]) && !sets.equivalent([1, 2], [2])', true],
    ['[1, 2].includes(2)', true],
    ['["abc", "d", "ef"].sortBy(text, text.size())', ['d', 'ef', 'abc']],
    ['[1, 2].map(i, i * 3).sortBy(i, -i)', [6n, 3n]],
    ['[dyn(1), dyn("a")].sort()', 'error: list elements must have the same type'],
    // Elements that have no order are passed over.
    ['[dyn("a"), dyn(1)].max()', 'a'],
    ['[dyn("a"), dyn(1)].isSorted()', true],
  ])('%s', (text, expected) => {
    expect(evaluate(text)).toEqual(expected);
  });
});

const NO_URL = 'URL parse error during conversion from string:';
const LONG = ['must be no more than 63 bytes'];

describe('quantities, versions, addresses, URLs and formats', () => {
  it.each<[string, unknown]>([
    ['quantity("1Gi").add(quantity("1Gi")) == quantity("2048Mi")', true],
    ['quantity("1500m").asInteger()', 'error: cannot convert value to integer'],
    ['isQuantity("1 Gi")', false],
    // Upstream has integers where it keeps an amount in 64 bits without decimals, whatever the amount is.
    ['quantity("1000m").isInteger()', false],
    ['quantity("1.0").isInteger()', false],
    ['quantity("1.5Gi").isInteger()', false],
    ['quantity("10Ti").isInteger() && !quantity("100Ti").isInteger()', true],
    ['quantity("500m").add(quantity("500m")).isInteger()', false],
    ['quantity("1k").sub(1).asInteger()', 999n],
    ['quantity("9E").add(quantity("9E")).isInteger()', false],
    ['quantity("100E") == quantity("10E")', false],
    ['quantity("100Ei") == quantity("10Ei")', true],
    ['quantity("36m").asApproximateFloat()', 36 * 0.001],
    ['semver("1.0.0-alpha.2").isLessThan(semver("1.0.0-alpha.10"))', true],
    ['semver("1.0.0").isGreaterThan(semver("1.0.0-rc.1"))', true],
    ['semver("v1.2", true).patch()', 0n],
    ['semver("1.0.0-1").compareTo(semver("1.0.0-100"))', -1n],
    ['isSemver("1.0.0-18446744073709551616")', false],
    ['isSemver(" 1.2.3", true)', false],
    ['semver("1-rc", true)', 'error: short version cannot contain PreRelease/Build meta data'],
    ['semver("01.2.3")', 'error: Major number must not contain leading zeroes "01"'],
    ['string(ip("2001:db8::0:1"))', '2001:db8::1'],
    ['ip.isCanonical("::ffff")', true],
    ['ip("fe80::1").isLinkLocalUnicast() && !ip("10.0.0.1").isLoopback()', true],
    ['cidr("10.1.0.0/16").containsCIDR("10.1.2.0/24")', true],
    ['string(cidr("10.1.2.3/8").masked())', '10.0.0.0/8'],
    ['isIP("010.0.0.1")', false],
    ['string(ip("::1.2.3.4"))', '::102:304'],
    ['ip("::ffff:102:304")', 'error: IPv4-mapped IPv6 address "::ffff:102:304" is not allowed'],
    ['isCIDR("::ffff:0:0/96")', false],
    ['ip("fe80::1%eth0")', 'error: IP address "fe80::1%eth0" with zone value is not allowed'],
    [
      'cidr("10.0.0.0/33")',
      'error: network address parse error during conversion from string: ' +
        'netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
    ],
    ['url("https://u@example.com:80/a b?x=1&x=2").getQuery().x', ['1', '2']],
    ['url("https://[::1]:80/").getHostname()', '::1'],
    ['isURL("example.com")', false],
    ['format.dns1123Label().validate("ok").hasValue()', false],
    ['url("http://a/%zz")', `error: ${NO_URL} parse "http://a/%zz": invalid URL escape "%zz"`],
    ['format.dns1123LabelPrefix().validate("a-").hasValue()', false],
    ['format.labelValue().validate(lists.range(64).map(i, "a").join()).value()', LONG],
    ['format.qualifiedName().validate("A/b").value()[0].startsWith("prefix part a lowercase RFC 1123")', true],
    ['format.named("uuid").value().validate("no").value()', ['does not match the UUID format']],
  ])('%s', (text, expected) => {
    expect(evaluate(text)).toEqual(expected);
  });

  test('versions have one order', () => {
    const part = fc.oneof(fc.nat(12).map(String), fc.constantFrom('alpha', 'rc', 'a-1', 'Z'));
    const version = fc
      .tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.array(part, { maxLength: 2 }))
      .map(([major, minor, patch, tail]) => `${major}.${minor}.${patch}${tail.length > 0 ? `-${tail.join('.')}` : ''}`);
    const order = (a: string, b: string): bigint => evaluate(`semver("${a}").compareTo(semver("${b}"))`) as bigint;
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(order(a, b)).toBe(-order(b, a));
        if (order(a, b) <= 0n && order(b, c) <= 0n) expect(order(a, c) <= 0n).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
