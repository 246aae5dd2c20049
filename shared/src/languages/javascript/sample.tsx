import React from 'react';

type Props = { title: string };

export function Card({ title }: Props) {
  const [open, setOpen] = React.useState(false);
  return <div onClick={() => setOpen(!open)}>{title}</div>;
}

export const List: React.FC<Props> = ({ title }) => <ul>{title}</ul>;
