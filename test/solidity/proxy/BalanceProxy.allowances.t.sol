// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IBalanceProxy} from "../../../contracts/interfaces/proxy/IBalanceProxy.sol";
import {OddVault} from "../../../contracts/mocks/OddVault.sol";
import {LocalVault} from "../../../contracts/service/currencies/LocalVault.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title BalanceProxyAllowancesTest
/// @notice A victim gave the proxy a standing, infinite allowance. No call of an attacker changes the victim's
/// balance or allowance.
contract BalanceProxyAllowancesTest is ProxyFixture {
    address private immutable VICTIM = _account("victim");
    uint256 private constant SAVINGS = 1_000_000;

    /// @dev The victim also holds shares of the vault, and approved the proxy for them.
    LocalVault private _vault;

    function setUp() public {
        _deployProxy();
        _vault = new LocalVault(_token, "Vault", "vONE");
        _buyShares(VICTIM, SAVINGS);
        _token.mint(VICTIM, SAVINGS);
        VM.prank(VICTIM);
        _token.approve(address(_proxy), type(uint256).max);
    }

    function testFuzz_StepThatPullsFromTheVictimFails(bool viaProxy, uint256 amount, bytes32 toSeed) public {
        amount = _bound(amount, 1, SAVINGS);
        address to = address(bytes20(keccak256(abi.encode(toSeed))));
        bytes memory theft = abi.encodeCall(IERC20.transferFrom, (VICTIM, to, amount));
        _assertHarmless(
            address(_entry(viaProxy)),
            abi.encodeCall(IBalanceActions.execute, (_noAssets(), _steps(_step(address(_token), theft)))),
            false
        );
    }

    function testFuzz_SpendWhoseTargetIsTheTokenFails(bool viaProxy, uint256 own) public {
        own = _bound(own, 1, SAVINGS);
        _bringOwn(viaProxy, own);
        // The amount of the theft is spliced in: exactly the attacker's own amount.
        bytes memory theft = abi.encodeCall(IERC20.transferFrom, (VICTIM, STRANGER, 0));
        _assertHarmless(
            address(_entry(viaProxy)),
            abi.encodeCall(IBalanceActions.spend, (address(_token), 0, address(_token), 68, theft, STRANGER)),
            false
        );
    }

    function testFuzz_StepThatCallsTheProxyPullsFromTheExecutorOnly(
        bool viaProxy,
        bool spends,
        uint256 own
    ) public {
        own = _bound(own, 1, SAVINGS);
        _bringOwn(viaProxy, own);
        bytes memory nested =
            spends
                ? abi.encodeCall(
                    IBalanceActions.spend,
                    (address(_token), 0, address(_token), 36, new bytes(68), STRANGER)
                )
                : abi.encodeCall(IBalanceActions.execute, (_assets(_toStranger()), _noSteps()));
        IBalanceActions.Step memory step = _step(address(_proxy), nested);
        step.approvedToken = address(_token);
        _assertHarmless(
            address(_entry(viaProxy)),
            abi.encodeCall(IBalanceActions.execute, (_assets(_toStranger()), _steps(step))),
            false
        );
    }

    function testFuzz_NamingTheVictimsTokenPullsFromTheCallerOnly(uint256 own) public {
        own = _bound(own, 1, SAVINGS);
        _bringOwn(true, own);
        _assertHarmless(
            address(_proxy),
            abi.encodeCall(IBalanceActions.execute, (_assets(_toStranger()), _noSteps())),
            true
        );
        _assertEq(_token.balanceOf(STRANGER), own);
    }

    function testFuzz_AnyBytesToAContractOrFromTheExecutorToTheTokenAreHarmless(
        bool viaProxy,
        bytes memory call,
        bytes4 selector,
        bytes32[3] memory arguments
    ) public {
        address entry = address(_entry(viaProxy));
        _callAsStranger(entry, call);
        _assertVictimUntouched();
        bytes memory data = abi.encodePacked(selector, abi.encode(arguments));
        IBalanceActions.Step[] memory steps = _steps(_step(address(_token), data));
        _callAsStranger(entry, abi.encodeCall(IBalanceActions.execute, (_noAssets(), steps)));
        _assertVictimUntouched();
    }

    function testFuzz_AnyArgumentsOfSpendAreHarmless(
        bool viaProxy,
        bool targetsToken,
        uint256 minimum,
        uint256 offset,
        bytes memory data,
        address recipient
    ) public {
        address target = targetsToken ? address(_token) : address(_proxy);
        bytes memory call = abi.encodeCall(
            IBalanceActions.spend,
            (address(_token), minimum, target, offset, data, recipient)
        );
        _callAsStranger(address(_entry(viaProxy)), call);
        _assertVictimUntouched();
    }

    function testFuzz_AnyChoiceOfVaultTokenAndReceiverIsHarmless(
        uint256 vaultSeed,
        uint256 tokenSeed,
        uint256 receiverSeed,
        uint256 own,
        uint256 minimum
    ) public {
        own = _bound(own, 1, SAVINGS);
        OddVault hostile = new OddVault(IERC20(address(_token)));
        address[8] memory choices = [
            address(_token),
            address(_vault),
            address(_otherToken),
            address(hostile),
            address(_proxy),
            _executor,
            address(_target),
            VICTIM
        ];
        // The hostile vault, called by the proxy, tries to take the victim's money itself or through the proxy.
        bytes memory again = _depositCall(choices[tokenSeed % 8], choices[vaultSeed % 8], VICTIM, 0);
        bytes memory theft = abi.encodeCall(IERC20.transferFrom, (VICTIM, STRANGER, own));
        hostile.arm(
            vaultSeed % 2 == 0 ? address(_proxy) : address(_token),
            vaultSeed % 2 == 0 ? again : theft
        );
        _bringOwn(true, own);
        _buyShares(STRANGER, own);
        _callAsStranger(
            address(_proxy),
            _depositCall(
                choices[vaultSeed % 8],
                choices[tokenSeed % 8],
                choices[receiverSeed % 8],
                minimum % (own + 1)
            )
        );
        _assertVictimLostNothing();
    }

    function testFuzz_AVaultWhoseSharesTheVictimApprovedMintsFromTheCallersMoneyAlone(uint256 own) public {
        own = _bound(own, 1, SAVINGS);
        _bringOwn(true, own);
        _assertHarmless(address(_proxy), _depositCall(address(_vault), address(_token), STRANGER, own), true);
        _assertEq(_vault.balanceOf(STRANGER), own);
    }

    function testFuzz_RevertWhen_StrangerPlantsAnApprovalOfTheExecutor(bool viaProxy, uint256 amount) public {
        bytes memory data = abi.encodeCall(IERC20.approve, (STRANGER, amount));
        IBalanceActions entry = _entry(viaProxy);
        IBalanceActions.Step[] memory steps = _steps(_step(address(_token), data));
        bytes4 selector = IBalanceActions.StandingApprovalRefused.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, 0, IERC20.approve.selector));
        VM.prank(STRANGER);
        entry.execute(_noAssets(), steps);
        _assertEq(_token.allowance(_executor, STRANGER), 0);
    }

    function _toStranger() private view returns (IBalanceActions.Asset memory asset) {
        asset = _asset(address(_token));
        asset.recipient = STRANGER;
    }

    /// @dev The attacker's own money, so that no attack fails only for lack of funds.
    function _bringOwn(bool viaProxy, uint256 amount) private {
        _token.mint(viaProxy ? STRANGER : _executor, amount);
        VM.prank(STRANGER);
        _token.approve(address(_proxy), type(uint256).max);
    }

    /// @dev Shares of the vault, for which the account approves the proxy.
    function _buyShares(address account, uint256 amount) private {
        _token.mint(account, amount);
        VM.prank(account);
        _token.approve(address(_vault), amount);
        VM.prank(account);
        _vault.deposit(amount, account);
        VM.prank(account);
        _vault.approve(address(_proxy), type(uint256).max);
    }

    function _depositCall(
        address vault,
        address token,
        address receiver,
        uint256 minimum
    ) private pure returns (bytes memory) {
        return abi.encodeCall(IBalanceProxy.depositErc4626, (vault, token, minimum, receiver));
    }

    function _callAsStranger(address to, bytes memory call) private returns (bool success) {
        VM.prank(STRANGER);
        (success, ) = to.call(call);
    }

    function _assertHarmless(address to, bytes memory call, bool succeeds) private {
        _assertEq(_callAsStranger(to, call), succeeds);
        _assertVictimUntouched();
    }

    function _assertVictimUntouched() private view {
        _assertEq(_token.balanceOf(VICTIM), SAVINGS);
        _assertEq(_vault.balanceOf(VICTIM), SAVINGS);
        _assertVictimLostNothing();
    }

    /// @dev An attacker may send the victim money.
    function _assertVictimLostNothing() private view {
        _assertLe(SAVINGS, _token.balanceOf(VICTIM));
        _assertLe(SAVINGS, _vault.balanceOf(VICTIM));
        _assertEq(_vault.allowance(VICTIM, address(_proxy)), type(uint256).max);
        _assertEq(_token.allowance(VICTIM, address(_proxy)), type(uint256).max);
    }
}
