import { expect, test } from 'vitest'
import { cleanEnvironment } from './environment.ts'

const scope = { temp: '/t', ids: { agent_id: 'a', conversation_id: 'c', run_id: 'r', call_id: 'x' } }

test('only listed variables are passed on', () => {
  const host = {
    PATH: '/bin',
    HOME: '/h',
    OPENAI_API_KEY: 'k',
    BAAS_KEY: 'k',
    LD_PRELOAD: 'x',
    BASH_ENV: 'x',
    NODE_OPTIONS: 'x',
    LANG: 'de_DE.UTF-8',
  }
  expect(cleanEnvironment(host, scope, 'm', { GREETING: 'hi', TANDEM_CALL: 'forged' })).toEqual({
    PATH: '/bin',
    HOME: '/h',
    LANG: 'de_DE.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/t',
    TANDEM_RUN: 'r',
    SHLVL: '1',
    GREETING: 'hi',
    TANDEM_CALL: 'm',
  })
})
