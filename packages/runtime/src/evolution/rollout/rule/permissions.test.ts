import { expect, test } from 'vitest'
import { noRequirements } from '../../../skill/requirements.ts'
import { type AgentLimits, askedPermissions } from './permissions.ts'

const modes: Readonly<Record<string, 'auto' | 'required' | 'deny'>> = { 'fs.read': 'auto', 'fs.write': 'required', 'shell.exec': 'deny' }
const limits: AgentLimits = {
  sandbox_mode: 'workspace',
  tools: [...Object.keys(modes), 'web.fetch'],
  policyOf: (tool) => ({ enabled: tool !== 'web.fetch', approval_mode: modes[tool] ?? 'auto' }),
}

test.each([
  ['nothing', [], {}, { forbidden: [], more: false }],
  ['a tool that runs without a question', ['Read'], {}, { forbidden: [], more: false }],
  ['a tool that asks', ['fs.write'], {}, { forbidden: [], more: true }],
  ['a denied tool', ['Bash'], {}, { forbidden: ['shell.exec'], more: false }],
  ['a disabled tool', ['web.*'], {}, { forbidden: ['web.fetch'], more: false }],
  ['an entry that cannot be checked', ['Bash(git:*)'], {}, { forbidden: [], more: true }],
  ['a tool that does not exist', ['Magic'], {}, { forbidden: [], more: false }],
  ['the sandbox it has', [], { required_sandbox: 'workspace' }, { forbidden: [], more: false }],
  ['a looser sandbox', [], { required_sandbox: 'trusted' }, { forbidden: [], more: true }],
  ['a stricter sandbox', [], { required_sandbox: 'strict' }, { forbidden: [], more: false }],
  ['another machine', [], { remote_host: true }, { forbidden: [], more: true }],
  ['a secret of the environment', [], { env: ['API_KEY'] }, { forbidden: [], more: true }],
] as const)('%s', (_, allowed, requires, expected) => {
  expect(
    askedPermissions([...allowed], { ...noRequirements, ...requires, env: [...('env' in requires ? requires.env : [])] }, limits),
  ).toEqual(expected)
})
