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

interface Props {
  readonly tone?: Tone
  readonly title?: string
  readonly className?: string
  readonly children: ReactNode
}

export function Badge({ tone = 'plain', title, className = '', children }: Props) {
  return (
    <span
      title={title}
      className={`inline-block whitespace-nowrap rounded px-1.5 py-px text-[12.5px] leading-5 ${tones[tone]} ${className}`}
    >
      {children}
    </span>
  )
}
