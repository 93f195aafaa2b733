// Asking the network from inside a tool: what fails on the way becomes the tool's own failure. A refusal passes as it is.

import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/tool.ts'
import type { NetworkRequest, NetworkResponse } from '../../sandbox/network/scoped-network.ts'

export async function reach(context: ToolContext, request: NetworkRequest): Promise<NetworkResponse> {
  try {
    return await context.network.request(request, context.signal)
  } catch (error) {
    throw asToolFailure(error)
  }
}

/** The host of an effect, with its port when the URL names one. What is no URL stands for itself; running it will fail. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host || url.slice(0, 253)
}

function asToolFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'NetworkFailure' || !('reason_code' in error) || !('facts' in error)) return error
  const facts: object = typeof error.facts === 'object' && error.facts !== null ? error.facts : {}
  return new ToolFailure(String(error.reason_code), error.message, { ...facts, cause: error })
}
