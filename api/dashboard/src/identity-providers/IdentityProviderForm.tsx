import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, Group, PasswordInput, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { IdentityProviderResponse } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useScope } from "@/organizations/scope";
import { GroupMappings } from "./GroupMappings";
import { useSaveIdentityProvider } from "./queries";
import { isSecureUrl, toRequest, toValues } from "./values";

interface Props {
  provider?: IdentityProviderResponse;
  onClose: () => void;
  onSaved: (provider: IdentityProviderResponse) => void;
}

export function IdentityProviderForm({ provider, onClose, onSaved }: Props) {
  const { t } = useLingui();
  const { organization } = useScope();
  const save = useSaveIdentityProvider(organization.id, provider?.id);
  const form = useForm({
    initialValues: toValues(provider),
    validate: {
      name: (value) => (value.trim() ? null : t`Enter a name`),
      issuer: (value) => (isSecureUrl(value) ? null : t`Enter an address that begins with https://`),
      clientId: (value) => (value.trim() ? null : t`Enter the client's id`),
      domains: (value) => (value.length > 0 ? null : t`Name at least one domain`),
    },
  });
  const submit = form.onSubmit((values) => save.mutate(toRequest(values), { onSuccess: onSaved }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {save.isError && <ProblemAlert error={save.error} />}
        <TextInput label={t`Name`} description={t`Shown on the sign-in page.`} data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label={t`Issuer`}
          description={t`The address below which the provider describes itself.`}
          placeholder="https://login.example.com"
          spellCheck={false}
          {...form.getInputProps("issuer")}
        />
        <Group grow align="flex-start">
          <TextInput label={t`Client id`} autoComplete="off" spellCheck={false} {...form.getInputProps("clientId")} />
          <PasswordInput
            label={t`Client secret`}
            description={provider?.has_client_secret ? t`Leave it empty to keep the present one.` : undefined}
            inputWrapperOrder={["label", "input", "description", "error"]}
            autoComplete="off"
            visibilityToggleButtonProps={{ "aria-label": t`Show or hide the secret` }}
            {...form.getInputProps("clientSecret")}
          />
        </Group>
        <TagsInput
          label={t`E-mail domains`}
          description={t`Only addresses of these domains come in; press Enter after each.`}
          placeholder={form.values.domains.length === 0 ? "example.com" : undefined}
          {...form.getInputProps("domains")}
        />
        <Checkbox
          label={t`Whoever the provider vouches for becomes a member`}
          description={t`Otherwise people need an invitation first.`}
          {...form.getInputProps("addsMembers", { type: "checkbox" })}
        />
        <Checkbox
          label={t`Take addresses that the provider does not call verified`}
          description={t`Only when people cannot set their address there themselves.`}
          {...form.getInputProps("trustsEmail", { type: "checkbox" })}
        />
        <TextInput
          label={t`Claim with the groups`}
          description={t`The part of the ID token that names a person's groups, often “groups”.`}
          spellCheck={false}
          {...form.getInputProps("groupClaim")}
        />
        {form.values.groupClaim.trim() && (
          <GroupMappings groups={form.values.groups} onChange={(groups) => form.setFieldValue("groups", groups)} />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}><Trans>Cancel</Trans></Button>
          <Button type="submit" loading={save.isPending}><Trans>Save</Trans></Button>
        </Group>
      </Stack>
    </form>
  );
}
