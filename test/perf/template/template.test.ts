import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render } from '../../../src/perf/template/evaluate.ts';
import { parseTemplate } from '../../../src/perf/template/parse-template.ts';
import { TemplateError } from '../../../src/perf/template/template-error.ts';

const ENVIRONMENT = new Map<string, unknown>([
  ['Index', 7],
  ['Count', 20],
  ['name', 'web'],
  ['list', ['a', 'b']],
  ['none', []],
]);

const made = (source: string): string => render(parseTemplate(source), ENVIRONMENT);

describe('templates', () => {
  it.each([
    ['no action', 'no action'],
    ['{{.Index}} of {{ .Count }}', '7 of 20'],
    ['a {{- .Index -}} b', 'a7b'],
    ['a {{/* nothing }} */}}b{{- /* nor here */ -}} c', 'a bc'],
    ['{{"}}"}}{{`{{`}}', '}}{{'],
    ['{{AddInt 1 2 3}} {{SubtractInt 1 2}} {{MultiplyInt 2 3}} {{DivideInt 7 2}} {{DivideInt -7 2}}', '6 -1 6 3 -3'],
    ['{{AddFloat 0.5 1}} {{SubtractFloat 1 0.5}} {{MultiplyFloat 1.5 2}} {{DivideFloat 1 8}}', '1.5 0.5 3 0.125'],
    ['{{Mod .Index 3}} {{Mod -7 3}} {{Mod "9" 5}}', '1 -1 4'],
    ['{{DivideInt (AddInt .Index 1) 2 | MultiplyInt 10}}', '40'],
    ['{{if eq .Index 7}}yes{{else}}no{{end}}', 'yes'],
    ['{{if gt .Index 7}}a{{else if le .Index 7}}b{{else}}c{{end}}', 'b'],
    ['{{if and .name (not .none)}}x{{end}}{{if or .none 0 ""}}y{{end}}', 'x'],
    ['{{if .Missing}}a{{else}}b{{end}}{{with .Missing}}{{.}}{{end}}{{if not .Missing}}c{{end}}', 'bc'],
    ['{{if and .Missing (gt .Missing 3)}}a{{end}}{{if or .Index (gt .Missing 3)}}b{{end}}', 'b'],
    ['{{or .Missing 3}} {{and .Index .Count}} {{eq .Missing "a"}}', '3 20 false'],
    ['{{$half := DivideInt .Count 2}}{{$half}}{{$half = 3}}{{$half}}', '103'],
    ['{{range $i, $item := .list}}{{$i}}{{$item}}{{.}},{{end}}', '0aa,1bb,'],
    ['{{range .none}}x{{else}}empty{{end}}', 'empty'],
    ['{{range $i := 3}}{{$i}}{{$.Index}} {{end}}', '07 17 27 '],
    ['{{with .name}}{{.}}-{{$.Index}}{{end}}', 'web-7'],
    ['{{printf "%03d|%-4s|%q|%v|%%" .Index .name .name true}}', '007|web |"web"|true|%'],
    ['{{len .list}} {{print .Index .name}} {{nil | print}}', '2 7web <nil>'],
    ['{{ne 1 2}} {{lt 1 2}} {{ge "a" "b"}} {{eq 1 2 1}}', 'true true false true'],
  ])('%s is %s', (source, text) => {
    expect(made(source)).toBe(text);
  });

  it.each([
    ['\n{{.Index', 'line 2: {{ without }}'],
    ['{{if .Index}}x', '{{if}} without {{end}}'],
    ['{{end}}', 'line 1: {{end}} without a block'],
    ['{{template "x"}}', '{{template}} is not supported'],
    ['\n\n{{Sqrt 2}}', 'function "Sqrt" is not known'],
    ['{{.Missing}}', '.Missing is not known here'],
    ['{{AddInt 1 .Missing}}', '.Missing is not known here'],
    ['{{print .Missing}}', '.Missing is not known here'],
    ['{{$x := .Missing}}{{$x}}', '.Missing is not known here'],
    ['{{$x}}', '$x is not declared'],
    ['{{Mod 1 0}}', 'division by zero'],
    ['{{DivideFloat 1 0}}', 'division by zero'],
    ['{{AddInt 1 .name}}', '"web" is not a number'],
    ['{{1 | 2}}', 'a pipe must end in a function'],
    ['{{(AddInt 1 2}}', '( without )'],
    ['{{AddInt 1 2)}}', 'unexpected ")"'],
    ['{{#}}', 'cannot be read: "#"'],
    ['{{}}', 'a value is missing'],
    ['{{range 1.5 := .list}}{{end}}', 'unexpected ":="'],
    ['{{range .name}}{{end}}', 'range cannot go over web'],
    ['{{len 7}}', '7 has no length'],
    ['{{printf "%d"}}', 'printf: %d has no value'],
  ])('refuses %j', (source, message) => {
    expect(() => made(source)).toThrow(TemplateError);
    expect(() => made(source)).toThrow(message);
  });

  it('answers any text with a text or a TemplateError', () => {
    const pieces = fc.constantFrom(
      '{{',
      '}}',
      '-',
      ' ',
      '.Index',
      '$x',
      ':=',
      'if',
      'range',
      'end',
      'else',
      '(',
      '|',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 12 }), (words) => {
        try {
          expect(typeof made(words.join(''))).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError);
        }
      }),
    );
  });

  it('leaves text without braces as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'));
        expect(made(text)).toBe(text);
      }),
    );
  });
});
