// Finds an element: by its ref in the last snapshot, by role and name, by text, or by selector; in any frame by default.

import type { Frame, Locator } from 'playwright-core'
import Type, { type Static } from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { sleep } from '../../clock/clock.ts'
import { isInterrupted, withTimeout } from './page-failure.ts'
import type { Tab } from './tab.ts'

export const targetFields = {
  ref: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]{1,20}$',
      description: 'The `ref` of an element in the last snapshot, such as e12 or f1e3; the most reliable way',
    }),
  ),
  role: Type.Optional(Type.String({ maxLength: 40, description: 'An ARIA role such as button or link; use it with `name`' })),
  name: Type.Optional(Type.String({ maxLength: 500, description: 'The accessible name of the element; use it with `role`' })),
  text: Type.Optional(Type.String({ maxLength: 500, description: 'The visible text of the element' })),
  selector: Type.Optional(Type.String({ maxLength: 1_000, description: 'A CSS selector' })),
  frame: Type.Optional(Type.String({ maxLength: 500, description: 'The name of a frame, or a part of its URL. Default: all frames' })),
  nth: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'Which one to use if several match, from 0' })),
}

const Target = Type.Object(targetFields)
export type Target = Static<typeof Target>

const lookAgainMs = 100
const patienceMs = 5_000
const mostFrames = 50

/** Waits a while for the element to appear. */
export async function locate(tab: Tab, target: Target, context: ToolContext, patience = patienceMs): Promise<Locator> {
  if (target.ref !== undefined) return await byRef(tab, target.ref, context)
  const find = finder(target)
  const until = context.clock.elapsed() + patience
  while (true) {
    for (const frame of framesOf(tab, target.frame)) {
      const found = await pick(find(frame), target, tab, context)
      if (found) return found
    }
    if (context.clock.elapsed() >= until) throw notFound(tab, target)
    await sleep(context.clock, lookAgainMs, context.signal)
  }
}

/** A ref of an older snapshot will not reappear, so there is no wait. */
async function byRef(tab: Tab, ref: string, context: ToolContext): Promise<Locator> {
  const found = tab.page.getByRef(ref)
  if ((await withTimeout(tab, context, patienceMs, found.count())) > 0) return found
  throw new ToolFailure('ref_stale', `the element ${ref} is no longer on the page`, {
    subject: tab.page.url(),
    remedy: 'Read the page again with browser.wait and use a ref of the new snapshot.',
    recoverability: 'retryable',
  })
}

/** `which` is a part of the URL, or the name. */
export function framesOf(tab: Tab, which: string | undefined): readonly Frame[] {
  const frames = tab.page.frames().slice(0, mostFrames)
  return which === undefined ? frames : frames.filter((frame) => frame.name() === which || frame.url().includes(which))
}

export function describeTarget({ ref, role, name, text, selector }: Target): string {
  if (ref !== undefined) return ref
  if (role !== undefined) return name === undefined ? role : `${role} “${name}”`
  return text === undefined ? (selector ?? '') : `“${text}”`
}

function finder({ role, name, text, selector }: Target): (frame: Frame) => Locator {
  if (role !== undefined) return (frame) => frame.getByRole(role as Parameters<Frame['getByRole']>[0], name === undefined ? {} : { name })
  if (text !== undefined) return (frame) => frame.getByText(text)
  if (selector !== undefined) return (frame) => frame.locator(selector)
  throw new ToolFailure('target_missing', 'no element was given', {
    subject: 'browser',
    remedy: 'Pass `ref`, `role` with `name`, `text`, or `selector`.',
    recoverability: 'user_action',
  })
}

async function pick(all: Locator, { nth }: Target, tab: Tab, context: ToolContext): Promise<Locator | null> {
  const counted = await withTimeout(tab, context, patienceMs, all.count()).catch((error: unknown) => {
    // The frame was removed in the meantime: nothing is found there.
    if (isInterrupted(error)) return 0
    throw error
  })
  if (counted === 0) return null
  if (nth !== undefined) return nth < counted ? all.nth(nth) : null
  if (counted === 1) return all
  const visible = all.filter({ visible: true })
  if ((await withTimeout(tab, context, patienceMs, visible.count())) === 1) return visible
  throw new ToolFailure('target_ambiguous', `${counted} elements match`, {
    subject: tab.page.url(),
    remedy: 'Pass a `ref` of the snapshot, a more specific `name`, or `nth`.',
    recoverability: 'user_action',
    output: { fitting: await samples(all) },
  })
}

async function samples(all: Locator): Promise<readonly string[]> {
  const texts = await all.allInnerTexts().catch(() => [])
  return texts.slice(0, 10).map((text) => text.replace(/\s+/g, ' ').slice(0, 100))
}

function notFound(tab: Tab, target: Target): ToolFailure {
  return new ToolFailure(
    'target_not_found',
    `no element on the page matches ${describeTarget(target)}${target.frame ? ` in the frame ${target.frame}` : ''}`,
    {
      subject: tab.page.url(),
      remedy: 'Read the page with browser.wait and use a ref of its snapshot.',
      recoverability: 'user_action',
    },
  )
}
