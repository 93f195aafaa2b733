import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filled, filledJson, type Reference, referenceText, templateParts, valueAt, wholeReference } from './index.ts'

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/)
const path = fc.array(fc.oneof(fc.stringMatching(/^[A-Za-z_][\w-]{0,8}$/), fc.nat(999_999)), { maxLength: 4 })
const reference: fc.Arbitrary<Reference> = fc.oneof(
  fc.record({ of: fc.constant('inputs' as const), name, path }),
  fc.record({ of: fc.constant('nodes' as const), name, field: fc.constantFrom('output' as const, 'error' as const), path }),
  fc.record({ of: fc.constant('loops' as const), name, field: fc.constantFrom('item' as const, 'index' as const), path }),
)

describe('placeholders', () => {
  test('each reference is read as it is written', () => {
    fc.assert(
      fc.property(reference, (one) => {
        expect(wholeReference(`{{ ${referenceText(one)} }}`)).toEqual(one)
      }),
    )
  })

  test('the parts of a text are the text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            reference.map((one) => `{{${referenceText(one)}}}`),
            fc.constantFrom('{{', '}}', '{{x}}'),
          ),
        ),
        (pieces) => {
          const text = pieces.join('')
          const parts = templateParts(text).map((part) => {
            if ('text' in part) return part.text
            return 'reference' in part ? `{{${referenceText(part.reference)}}}` : part.invalid
          })
          expect(parts.join('').replaceAll(/\{\{\s+|\s+\}\}/g, '')).toBe(text.replaceAll(/\{\{\s+|\s+\}\}/g, ''))
        },
      ),
    )
  })

  test.each([
    ['{{x}}', '{{x}}'],
    ['{{nodes.a.item}}', '{{nodes.a.item}}'],
    ['{{loops.a.output}}', '{{loops.a.output}}'],
    ['{{inputs.A}}', '{{inputs.A}}'],
    ['{{nodes.a}}', '{{nodes.a}}'],
    ['{{inputs.a.__proto__.x[}}', '{{inputs.a.__proto__.x[}}'],
    ['{{process.env}}', '{{process.env}}'],
  ])('%s is none', (text, invalid) => {
    expect(templateParts(text)).toEqual([{ invalid }])
  })
})

describe('filling in', () => {
  const values: Readonly<Record<string, unknown>> = { n: 3, flag: false, list: [1, { a: 'x' }], none: null, text: '{{inputs.n}} "quoted"' }
  const lookUp = ({ name: one, path: way }: Reference) => valueAt(Object.hasOwn(values, one) ? values[one] : undefined, way)

  test.each<[string, unknown]>([
    ['{{inputs.n}}', 3],
    ['{{inputs.flag}}', false],
    ['{{ inputs.list }}', [1, { a: 'x' }]],
    ['{{inputs.list[1].a}}', 'x'],
    ['n is {{inputs.n}}, {{inputs.list}}', 'n is 3, [1,{"a":"x"}]'],
    ['{{inputs.none}}', null],
    ['<{{inputs.none}}{{inputs.missing}}>', '<>'],
    ['{{inputs.missing}}', null],
    ['{{inputs.list[9].a.b}}', null],
    // Never expanded again.
    ['{{inputs.text}}', '{{inputs.n}} "quoted"'],
    ['a {{inputs.text}}', 'a {{inputs.n}} "quoted"'],
    ['{{unknown}}', '{{unknown}}'],
  ])('%s becomes %j', (template, value) => {
    expect(filled(template, lookUp)).toEqual(value)
  })

  test('texts of JSON are filled in, names of fields are not, and nothing leaves its place', () => {
    const arguments_ = JSON.parse('{"{{inputs.n}}":"{{inputs.text}}","__proto__":{"a":["{{inputs.n}}",1,null]}}') as unknown
    const result = filledJson(arguments_, lookUp)
    expect(JSON.stringify(result)).toBe('{"{{inputs.n}}":"{{inputs.n}} \\"quoted\\"","__proto__":{"a":[3,1,null]}}')
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })

  test('only what a value itself has is found', () => {
    const own = ['constructor', '__proto__', 'toString', 'length', 'hasOwnProperty']
    for (const value of [{}, [], 'text', 1, null, { a: [] }]) {
      for (const step of own) expect(valueAt(value, [step])).toBeUndefined()
    }
    expect(valueAt(JSON.parse('{"__proto__": 1}'), ['__proto__'])).toBe(1)
  })
})
