import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentsOf, promptOf, resourceOf } from './server-offers.ts'

const said = (value: unknown) => JSON.stringify(value)

test('reads a resource, a template and a prompt as servers describe them', () => {
  expect(
    resourceOf({
      kind: 'resource',
      uri: 'demo://one',
      answer: said({ uri: 'demo://one', name: 'one', title: 'One', description: 'The first.', mimeType: 'text/plain' }),
    }),
  ).toEqual({ kind: 'resource', uri: 'demo://one', name: 'One', description: 'The first.', media_type: 'text/plain' })
  expect(resourceOf({ kind: 'template', uri: 'demo://{id}', answer: said({ name: 'each' }) })).toEqual({
    kind: 'template',
    uri: 'demo://{id}',
    name: 'each',
    description: '',
    media_type: '',
  })
  const values = [{ name: 'city', description: 'Where', required: true }, { name: 'style' }, { description: 'without a name' }, 7]
  expect(promptOf({ name: 'p', answer: said({ name: 'p', title: 'P', description: 'Asks.', arguments: values }) })).toEqual({
    name: 'p',
    title: 'P',
    description: 'Asks.',
    values: [
      { name: 'city', description: 'Where', isRequired: true },
      { name: 'style', description: '', isRequired: false },
    ],
  })
})

test('content is read as text, or as its size if it is not text', () => {
  const picture = Buffer.from([1, 2, 3, 4, 5]).toString('base64')
  expect(
    contentsOf(
      said({
        contents: [
          { mimeType: 'text/plain', text: 'Hello' },
          { mimeType: 'image/png', blob: picture },
        ],
      }),
    ),
  ).toEqual([
    { as: 'text', role: '', text: 'Hello' },
    { as: 'bytes', role: '', media_type: 'image/png', bytes: 5 },
  ])
  const messages = [
    { role: 'user', content: { type: 'text', text: 'Weather?' } },
    { role: 'assistant', content: { type: 'resource', resource: { uri: 'demo://one', text: 'Rain.' } } },
    { role: 'user', content: { type: 'image', data: picture, mimeType: 'image/png' } },
  ]
  expect(contentsOf(said({ messages }))).toEqual([
    { as: 'text', role: 'user', text: 'Weather?' },
    { as: 'text', role: 'assistant', text: 'Rain.' },
    { as: 'bytes', role: 'user', media_type: 'image/png', bytes: 5 },
  ])
})

test('reads any response of a server without failing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const answer = said(value)
      resourceOf({ kind: 'resource', uri: 'u', answer })
      promptOf({ name: 'n', answer })
      for (const shape of [{ contents: value }, { messages: value }, { contents: [value] }, { messages: [{ content: value }] }]) {
        for (const piece of contentsOf(said(shape))) expect(typeof (piece.as === 'text' ? piece.text : piece.media_type)).toBe('string')
      }
    }),
  )
})
