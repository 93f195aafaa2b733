import { Type } from 'typebox'
import type { SettingsSection } from '../settings/section.ts'

const schema = Type.Object({
  tool_tokens: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description:
      'Maximum number of tokens that the tools of MCP servers may use in each request. If they need more, agents search for the tools that they need.',
  }),
})

export const mcpSettings: SettingsSection<typeof schema> = { name: 'mcp', schema, initial: { tool_tokens: 10_000 } }
