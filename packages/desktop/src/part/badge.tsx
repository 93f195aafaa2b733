import type { ReactNode } from 'react'

const tones = {
  plain: 'bg-sunken text-soft',
  desktop: 'bg-desktop-soft text-desktop',
  cloud: 'bg-cloud-soft text-cloud',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
}
export type Tone = keyof typeof tones

export function Badge({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span title={title} className={`inline-block whitespace-nowrap rounded px-1.5 py-px text-[12.5px] leading-5 ${tones[tone]}`}>
      {children}
    </span>
  )
}
