import { expect, test } from 'vitest'
import { knownSearch, searchEnvironmentProblem } from './search.ts'

const unset = { search_provider: null, search_url: null }
const environment = { TANDEM_SEARCH_PROVIDER: 'searxng', TANDEM_SEARCH_URL: 'http://localhost:8888', TANDEM_SEARCH_KEY: 'env' }

test('settings come first, and a key is used only with its own provider', () => {
  expect([
    knownSearch(unset, null, {}),
    knownSearch(unset, 'set', environment),
    knownSearch({ search_provider: 'brave', search_url: null }, null, environment),
    knownSearch({ search_provider: 'tavily', search_url: 'https://relay.test' }, 'set', environment),
    knownSearch(unset, null, { TANDEM_SEARCH_PROVIDER: 'brave', TANDEM_SEARCH_URL: '' }),
    knownSearch(unset, null, { TANDEM_SEARCH_PROVIDER: 'altavista' }),
  ]).toEqual([
    null,
    { provider: 'searxng', url: 'http://localhost:8888', key_name: 'search_key', key: 'env' },
    { provider: 'brave', key_name: 'search_key', key: null },
    { provider: 'tavily', url: 'https://relay.test', key_name: 'search_key', key: 'set' },
    { provider: 'brave', key_name: 'search_key', key: null },
    null,
  ])
})

test('reports an invalid environment, without its secrets', () => {
  expect([
    searchEnvironmentProblem({}),
    searchEnvironmentProblem(environment),
    searchEnvironmentProblem({ TANDEM_SEARCH_PROVIDER: 'altavista' }),
    searchEnvironmentProblem({ ...environment, TANDEM_SEARCH_URL: 'https://me:canary@host/' }),
  ]).toEqual([null, null, expect.stringContaining('must be one of searxng, brave, tavily'), expect.not.stringContaining('canary')])
})
