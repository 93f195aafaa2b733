// Numbers with their units.
import { grouped } from '@tandem/contract/text'

export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : many}`
}

export function percent(fraction: number): string {
  return `${Math.round(fraction * 100)}%`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
