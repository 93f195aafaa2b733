import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { realms } from './realm.ts'
import { refusedFunctions } from './refused-functions.ts'

const library = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8')

test('a realm has the language and nothing else', () => {
  const { jsonata } = realms(`globalThis.jsonata = (text) => ({
    ast: () => ({
      names: ['process', 'require', 'fetch', 'Buffer', 'setTimeout', 'performance', 'queueMicrotask'].filter((name) => name in globalThis),
      proto: '__proto__' in {},
      random: 'random' in Math,
      time: [new Date().getTime(), Date.now()],
      constructed: (() => { try { return text.constructor.constructor('return 1')() } catch (error) { return error.name } })(),
    }),
  })`)()
  expect(JSON.parse(JSON.stringify(jsonata('').ast()))).toEqual({
    names: [],
    proto: false,
    random: false,
    time: [0, 0],
    constructed: 'EvalError',
  })
})

test('a refused function throws even if the expression is not searched for its name', async () => {
  for (const [name, message] of refusedFunctions) {
    const { jsonata, refuse } = realms(library)()
    const expression = jsonata(`($f := $${name}; $f("1"))`)
    refuse(expression)
    await expect(expression.evaluate({})).rejects.toMatchObject({ message })
  }
})
