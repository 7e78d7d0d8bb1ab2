import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  type ElementProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/**
 * Links to our own pages, styled as text, buttons and menu items. Mantine's `component={Link}` accepts any text as a URL;
 * these accept only existing routes and their parameters.
 */
export const TextLink = createLink((props: AnchorProps & ElementProps<'a', keyof AnchorProps>) => (
  <Anchor {...props} />
));

export const ButtonLink = createLink((props: ButtonProps & ElementProps<'a', keyof ButtonProps>) => (
  <Button component="a" {...props} />
));

export const MenuLink = createLink((props: MenuItemProps & ElementProps<'a', keyof MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));

export const NavigationLink = createLink((props: NavLinkProps & ElementProps<'a', keyof NavLinkProps>) => (
  <NavLink {...props} />
));
