import fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { executorProtocols, negotiateProtocol } from './index.ts'
import { ExecutorProtocol } from './schema.ts'

test('our own protocols are well-formed', () => {
  expect(executorProtocols.filter((protocol) => !Check(ExecutorProtocol, protocol))).toEqual([])
})

test('the negotiated protocol is the first of ours that the executor supports', () => {
  const protocols = fc.uniqueArray(fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1'))
  fc.assert(
    fc.property(protocols, protocols, (offered, supported) => {
      expect(negotiateProtocol(offered, supported)).toBe(offered.filter((one) => supported.includes(one))[0])
    }),
  )
})
