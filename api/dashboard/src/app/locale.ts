// Which language the messages are in. Catalogs are loaded when chosen.
import { i18n } from "@lingui/core";

export const LOCALES = { en: "English", pt: "Português" } as const;
export type Locale = keyof typeof LOCALES;

const KEY = "quarry-locale";

function isLocale(value: string | null | undefined): value is Locale {
  return value != null && value in LOCALES;
}

export function preferredLocale(): Locale {
  const stored = localStorage.getItem(KEY);
  if (isLocale(stored)) return stored;
  const languages = navigator.languages.map((language) => language.slice(0, 2));
  return languages.find(isLocale) ?? "en";
}

export async function activateLocale(locale: Locale) {
  const catalog = locale === "pt" ? await import("../locales/pt.po") : await import("../locales/en.po");
  i18n.loadAndActivate({ locale, messages: catalog.messages });
  document.documentElement.lang = locale;
}

export async function chooseLocale(locale: Locale) {
  localStorage.setItem(KEY, locale);
  await activateLocale(locale);
}
