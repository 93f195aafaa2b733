// Commands that use a scripted model: what most tests of the terminal need.
import { afterAll } from 'vitest'
import { type TestModel, testModel } from './test-model.ts'
import { type TestTandem, useTandem } from './test-tandem.ts'

/** One model for the tests of a file. `variables` are set as well. */
export async function useScriptedTandem(
  variables: NodeJS.ProcessEnv = {},
): Promise<{ readonly model: TestModel; readonly here: TestTandem; environment(): NodeJS.ProcessEnv }> {
  const model = await testModel()
  afterAll(() => model.stop())
  const environment = (): NodeJS.ProcessEnv => ({
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: model.url,
    TANDEM_MODEL_KEY: 'sk-canary',
    TANDEM_MODEL: 'test/scripted',
    ...variables,
  })
  return { model, here: useTandem(environment), environment }
}
